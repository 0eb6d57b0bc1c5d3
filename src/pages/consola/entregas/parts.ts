export const ENTREGAS = '/consola/entregas'

export const entregaHref = ({ id }: { id: string }): string => `${ENTREGAS}/${id}`
