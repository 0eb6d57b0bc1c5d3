export const EXTERNAL: string[]
export const COMMONJS: string
