export const MemoryPage = () => null
