const TABLES = `
  SELECT tablename FROM pg_tables WHERE schemaname = 'muniment'
    AND tablename NOT IN ('schema_version') AND tablename !~ '_[0-9][0-9]$'`

/** Takes out all stacks, whatever guards them. */
export async function emptied(
  list: (sql: string) => Promise<readonly (readonly unknown[])[]>,
  run: (sql: string) => Promise<unknown>,
): Promise<void> {
  const names = await list(TABLES)
  const deletions = names.map(([name]) => `DELETE FROM muniment.${name}`).join('; ')
  await run(
    `SET session_replication_role = replica; ${deletions}; SET session_replication_role = origin`,
  )
}
