/** RFC 5321, 4.5.3.1.3, without the brackets. */
export const MAIL_CHARACTERS = 254
const MAIL = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z0-9]$/

/** Whether a letter can be written to it: an address in small letters, as accounts are kept under. */
export const isMailAddress = (text: string, most = MAIL_CHARACTERS): boolean => text.length <= most && MAIL.test(text)
