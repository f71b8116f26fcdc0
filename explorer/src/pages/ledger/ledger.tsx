export const Ledger = () => null
