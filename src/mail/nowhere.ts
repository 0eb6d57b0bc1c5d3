/** The domain of people who are made up: nobody's (RFC 2606), so that a letter to it is kept and never sent. */
export const NOWHERE = 'prueba.example'

export const isNowhere = (mail: string): boolean => mail.endsWith(`@${NOWHERE}`)
