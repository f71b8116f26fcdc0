export const Lines = () => null
