export const Time = () => null
