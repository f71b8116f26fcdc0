import { existsSync } from 'node:fs'
import { access, constants, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { MunimentError } from '../../../domain/errors.ts'
import { isRebuilt } from '../../../engine/audit/codes.ts'
import type { ErasuresPending } from '../../../engine/erase/erase.ts'
import type { ClockStatus } from '../../../engine/write/clock.ts'
import { CORRECT_HINT, clockSentence, isInFuture } from '../../../operations/maintain.ts'
import type { Page } from '../../../operations/text/page.ts'
import { table } from '../../../operations/text/table.ts'
import { age, grouped, oneLine, plural } from '../../../operations/text/words.ts'
import type { Stack } from '../../../stack.ts'
import { isPrivate, modeOf, modeText, stacksFolder } from '../../access/home.ts'
import { programTokenFile } from '../../access/program-token.ts'
import { lastPersonalToken, tokenLogFile } from '../../access/token-log.ts'
import { isPersons, readTokens, tokensFile } from '../../access/tokens.ts'
import { readRegistry, registryFile, stackNameIn } from '../../projects/registry.ts'
import { EXIT, type ExitCode, exitOf } from '../exit-codes.ts'
import type { Session } from '../session.ts'
import type { Command } from '../spec/command.ts'
import { type Check, captureChecks, ok, tiersCheck, warning } from './doctor-check.ts'

/** Inspects everything and repairs nothing; each finding names a command to type. */
export const doctor: Command = {
  name: 'doctor',
  group: 'first',
  summary: 'Look whether everything here is well.',
  positionals: [],
  options: [],
  examples: ['muniment doctor', 'muniment doctor --stack work --json'],
  notes: [
    'Ends with 4 when the audit finds something, with 5 when anything else is bad; a warning ends with 0.',
  ],
  takesInput: false,
  run: async (session) => {
    const { home, stackId, host } = session
    const { label, because } = session.whoWithout()
    const place = [
      ok('node', host.nodeVersion),
      ok('you', `write as ${label}: ${because}`),
      await usedCheck(session),
      ignoredCheck(session),
      await homeCheck(session),
      await permissionsOf('stacks', stacksFolder(home)),
      await permissionsOf('keys', path.join(home, 'keys')),
      await permissionsOf('tokens', tokensFile(home)),
      await permissionsOf('program token', programTokenFile(home)),
      await permissionsOf('token log', tokenLogFile(home)),
      await personalTokensCheck(session),
      await permissionsOf('projects', registryFile(home)),
      await cacheCheck(path.join(home, 'cache')),
      ...(await stackFiles(home)),
      ...(await restoreLeftovers(home)),
      ...(await clientChecks(session)),
    ].filter((check) => check !== null)
    const found = await stackChecks(session)
    const checks = [...place, ...found.checks]
    const healthy = checks.every(({ status }) => status === 'ok')
    const failed = checks.flatMap(({ name, status }) => (status === 'bad' ? [name] : []))
    const json = { ok: healthy, failed, home, stack: stackId, checks, damage: found.damage }
    const exit = found.exit === EXIT.ok && failed.length > 0 ? EXIT.store : found.exit
    return { json, text: (page) => doctorPage(checks, page), exit }
  },
}

/**
 * Names the stack of this folder, with the reason; a file naming another stack without consent is a
 * warning.
 */
async function usedCheck(session: Session): Promise<Check> {
  const { stackId, stackBecause, home, settings } = session
  const name = stackNameIn(await readRegistry(home), stackId)
  const shown = name === stackId ? `“${stackId}”` : `“${name}” (${stackId})`
  const also = session.readsPersonal ? '; reads include your personal stack' : ''
  const detail = `${shown} is used here, since ${stackBecause}${also}`
  if (settings.unagreed === null || session.stackOfCall !== null) return ok('used', detail)
  const { file, stack } = settings.unagreed
  const ignored = `${file} names the stack “${stack}”, to which you have not agreed`
  return warning('used', `${detail}; ${ignored}`, 'muniment stacks agree')
}

/** A bad settings file in the folder: hooks and mcp go on without it, other commands refuse. */
function ignoredCheck({ settings: { ignored } }: Session): Check | null {
  if (ignored === null) return null
  return warning('settings', `${ignored.why} It is ignored.`, `Look at ${ignored.file}`)
}

/**
 * A program can fake a terminal and make a personal token there: this check shows a person the
 * token.
 */
async function personalTokensCheck({ home, host }: Session): Promise<Check | null> {
  try {
    const count = (await readTokens(home)).filter(isPersons).length
    const last = await lastPersonalToken(home)
    if (count === 0 && last === null) return null
    const from = last?.terminal ? `terminal ${last.terminal}` : 'a terminal'
    const made = last === null ? '' : `, last made ${age(last.at, host.now())} from ${from}`
    return ok('personal tokens', `${count}${made}; muniment trust token list shows them`)
  } catch (error) {
    if (!(error instanceof MunimentError)) throw error
    return warning('personal tokens', error.message, error.hint ?? 'muniment trust token list')
  }
}

/** A missing home means a new installation, or a mistyped --home or $MUNIMENT_HOME. */
async function homeCheck({ home, which }: Session): Promise<Check> {
  if (existsSync(home)) return (await permissionsOf('home', home)) ?? ok('home', home)
  const detail = `${home} does not exist: there is no memory here yet`
  return warning(
    'home',
    detail,
    `muniment init${which} begins one; or name the right folder: --home`,
  )
}

/** Null without such a file, or on a system without modes. */
async function permissionsOf(name: string, file: string): Promise<Check | null> {
  const mode = await modeOf(file)
  if (mode === undefined) return null
  const lacks = await lacking(file)
  if (lacks !== null) {
    const detail = `${file} can not be ${lacks.cannot} by this user (${modeText(mode)})`
    return warning(name, detail, `chmod u+${lacks.mode} ${file}, if nobody wants it so`)
  }
  if (isPrivate(mode)) return ok(name, `${file} (${modeText(mode)})`)
  const detail = `${file} can be reached by others (${modeText(mode)})`
  return warning(name, detail, `chmod go-rwx ${file}`)
}

/** The right this user lacks on an own file; a read-only file cannot be repaired by writing. */
async function lacking(file: string) {
  const isFolder = (await stat(file)).isDirectory()
  const may = (mode: number): Promise<boolean> =>
    access(file, mode).then(
      () => true,
      () => false,
    )
  if (!(await may(isFolder ? constants.R_OK | constants.X_OK : constants.R_OK)))
    return { cannot: 'read', mode: isFolder ? 'rwx' : 'rw' }
  return (await may(constants.W_OK)) ? null : { cannot: 'written to', mode: 'w' }
}

/** Compiled code is run, so nothing is used from a cache others may write to. */
async function cacheCheck(folder: string): Promise<Check | null> {
  const inside = await readdir(folder, { recursive: true }).catch((): readonly string[] => [])
  for (const name of inside) {
    const file = path.join(folder, name)
    const mode = await modeOf(file)
    if (mode !== undefined && (mode & OTHERS_WRITE) !== 0) return permissionsOf('cache', file)
  }
  return permissionsOf('cache', folder)
}

const OTHERS_WRITE = 0o022 // reading harms nothing: the folder of the cache is its owner's alone

async function stackFiles(home: string): Promise<readonly (Check | null)[]> {
  const names = await readdir(stacksFolder(home)).catch((): readonly string[] => [])
  const files = names.filter((name) => name.endsWith('.db')).sort()
  return Promise.all(
    files.map((name) =>
      permissionsOf(`file ${path.basename(name, '.db')}`, path.join(stacksFolder(home), name)),
    ),
  )
}

/** Copies of stacks left by restores; erasing does not reach them. */
async function restoreLeftovers(home: string): Promise<readonly Check[]> {
  const folder = stacksFolder(home)
  const names = (await readdir(folder).catch(() => [])).sort()
  const found = names.map(async (name) => {
    const [, stack = '', what = ''] = LEFTOVER.exec(name) ?? []
    const place = path.join(folder, name)
    if (what === 'replaced') return replacedCheck(stack, place)
    if (what !== 'incoming') return null
    const detail = `${place} is of a restore that did not end`
    return warning(`old ${stack}`, detail, 'delete it when no restore is running')
  })
  return (await Promise.all(found)).filter((check) => check !== null)
}

/** A person who put the stack back by hand may have left its signed heads in the folder. */
async function replacedCheck(stack: string, place: string): Promise<Check> {
  const inside = await readdir(place).catch((): readonly string[] => [])
  const [file, heads] = [`${stack}.db`, `${stack}.db.checkpoints`]
  const old = (detail: string, hint: string): Check => warning(`old ${stack}`, detail, hint)
  if (inside.includes(file)) {
    const back = `muniment stack restore ${path.join(place, file)} --replace --stack ${stack}`
    const hint = `${back} brings it back; delete the folder when nobody needs it`
    return old(`${place} holds a stack that a restore replaced`, hint)
  }
  if (!inside.includes(heads)) {
    return old(`${place} holds no stack any more`, 'delete the folder')
  }
  const away = `mv ${path.join(place, heads)} ${path.join(path.dirname(place), heads)}`
  return old(
    `${place} holds signed heads without their stack`,
    `delete the folder, or, where that stack stands again: ${away}`,
  )
}

const LEFTOVER = /^(.+)\.db\.(replaced|incoming)(?:-\d+)?$/

/** Clients with muniment registered; a client whose program is missing notices only by failing. */
async function clientChecks({ host }: Session): Promise<readonly Check[]> {
  const [{ registered }, { placesFor }] = await Promise.all([
    import('../../setup/registered.ts'),
    import('./setup.ts'),
  ])
  const places = placesFor(host)
  const found = places === null ? [] : await registered(places, await host.jsonParser())
  if (found.length === 0) return [ok('clients', 'registered in none: muniment setup all')]
  return found.map(({ client, file, missing }) =>
    missing === null
      ? ok(client, `registered in ${file}`)
      : warning(
          client,
          `${file} starts ${missing}, which is not there`,
          `muniment setup ${client}`,
        ),
  )
}

/** Without its key, a stack with erasures refuses writes: the words could be the erased ones. */
const keyCheck = ({ ledger: { lacksKey, uid } }: Stack): Check =>
  lacksKey
    ? {
        name: 'key',
        status: 'bad',
        detail:
          'something was erased here, and the key that keeps it out is missing: nothing can be written',
        hint: `Copy keys/${uid} from the home folder where the stack was last written.`,
      }
    : ok('key', 'here')

/** A ledger dated in the future also gives future dates to the next entries. */
function clockCheck(status: ClockStatus): Check {
  const sentence = clockSentence(status)
  const isWrong = isInFuture(status) || status.fault !== null
  return isWrong ? warning('clock', sentence, CORRECT_HINT) : ok('clock', sentence)
}

/** Erased words are gone from every answer; their bytes may still lie in files for a while. */
function erasuresCheck({ entries, fault }: ErasuresPending): Check {
  if (entries === 0) return ok('erasures', 'no bytes are left to destroy')
  const why = fault ?? 'another process still reads an older state'
  const detail = `${plural(entries, 'erasure')} still to be destroyed in files: ${why}`
  return warning('erasures', detail, 'muniment stack maintain tries again')
}

/** A failing component breaks nothing, and does nothing either. */
function componentsCheck(failing: Readonly<Record<string, readonly string[]>>): Check {
  const named = Object.entries(failing).map(
    ([name, hooks]) => `${name} fails in ${hooks.join(', ')}`,
  )
  return named.length === 0
    ? ok('components', 'none was failing')
    : warning('components', named.join('; '), 'muniment stack maintain, and see what it says')
}

const REBUILD = 'The ledger is whole, and rows are not what it comes to: muniment stack rebuild'

interface StackFindings {
  readonly checks: readonly Check[]
  /** All damage of the file itself; the checks name only the first. */
  readonly damage: readonly string[]
  readonly exit: ExitCode
}

async function stackChecks(session: Session): Promise<StackFindings> {
  const { stackId, host } = session
  try {
    if (!(await host.stacks.exists(stackId, session))) {
      const hint = (await session.noStack()).hint ?? ''
      const checks = [warning('stack', `“${stackId}” is not there yet`, hint)]
      return { checks, damage: [], exit: EXIT.ok }
    }
    const damage = await host.stacks.check(stackId, session)
    return await session.withStack('existing', async (stack) => {
      const report = await stack.ledger.audit()
      const { head, entries, problems } = report
      const [first] = problems
      const audit: Check = first
        ? {
            name: 'audit',
            status: 'bad',
            detail: `${plural(problems.length, 'problem')}, first ${first.code} at entry ${first.seq}: ${first.detail}`,
            hint: isRebuilt(problems) ? REBUILD : 'muniment audit',
          }
        : ok('audit', `${plural(entries, 'entry', 'entries')} recomputed, all as written`)
      const exit = damage.length > 0 ? EXIT.store : report.ok ? EXIT.ok : EXIT.audit
      const loss = await lossOf(stack)
      if (loss !== null) return { checks: [loss, fileCheck(damage), audit], damage, exit }
      const { total = 0 } = await stack.getStats()
      const checks = [
        ok('stack', `“${stackId}” opens`),
        ok('schema', String(stack.schemaVersion)),
        stateCheck(stack.state),
        ok('memories', grouped(total)),
        tiersCheck(await stack.health.countedLess()),
        ...(await captureChecks(stack, session.home)),
        keyCheck(stack),
        clockCheck(await stack.health.clock()),
        erasuresCheck(await stack.erasure.pending()),
        componentsCheck(await stack.health.failingComponents()),
        ok('head', `entry ${head.seq}, ${head.hash.slice(0, 16)}…`),
        await headsCheck(stack, { size: head.seq + 1, home: session.home }),
        fileCheck(damage),
        ...(session.store === null ? [] : [SEARCH]),
        audit,
      ]
      return { checks, damage, exit }
    })
  } catch (error) {
    if (!(error instanceof MunimentError)) throw error
    return { checks: [failed(error)], damage: [], exit: exitOf(error) }
  }
}

const failed = ({ message, hint }: MunimentError): Check => ({
  name: 'stack',
  status: 'bad',
  detail: message,
  hint: hint ?? null,
})

/** A stack with lost entries answers nothing but an audit. */
async function lossOf(stack: Stack): Promise<Check | null> {
  try {
    await stack.getStats()
    return null
  } catch (error) {
    if (error instanceof MunimentError && error.code === 'data_loss') return failed(error)
    throw error
  }
}

/** Reports the signed heads, and those not yet delivered to their second place. */
async function headsCheck(
  stack: Stack,
  { size, home }: { readonly size: number; readonly home: string },
): Promise<Check> {
  const heads = await stack.ledger.checkpoints()
  const file = path.join(stacksFolder(home), `${stack.stackId}.db.checkpoints-waiting`)
  const waiting = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)
  if (waiting.length > 0) {
    const detail = `${plural(waiting.length, 'signed head')} did not get to the second place`
    return warning(
      'heads',
      detail,
      'Look at $MUNIMENT_CHECKPOINTS_TO, then: muniment ledger checkpoint',
    )
  }
  const none = size === 0 ? 'nothing to sign yet' : 'none signed yet: muniment ledger checkpoint'
  return ok('heads', heads.length === 0 ? none : `${plural(heads.length, 'head')} signed`)
}

/** For a database: tells a reader in search of extensions that none is used. */
const SEARCH = ok(
  'search',
  'words by its own index, meaning exactly by the program: pg_trgm and pgvector are not used, so none is missing',
)

/** Checks pages, indexes, triggers and copies; the audit checks the content of rows. */
function fileCheck([first, ...more]: readonly string[]): Check {
  if (first === undefined) return ok('integrity', 'pages, indexes and guards are as they were made')
  const detail = more.length === 0 ? first : `${first}; and ${more.length} more`
  return { name: 'integrity', status: 'bad', detail, hint: 'Restore a backup.' }
}

const stateCheck = (state: string): Check =>
  state === 'MAINTENANCE'
    ? warning('state', `${state}: nothing can be written`, 'muniment stack state ACTIVE')
    : ok('state', state)

function doctorPage(checks: readonly Check[], { ink }: Page): readonly string[] {
  const mark = { ok: ink.good, warning: ink.hint, bad: ink.bad } as const
  const rows = checks.map(({ name, status, detail, hint }) => [
    { text: status, shown: mark[status](status) },
    { text: name },
    { text: `${oneLine(detail)}${hint === null ? '' : `  → ${hint}`}` },
  ])
  return table(rows)
}
