const FORM = /^\+?[\d\s().-]{8,20}$/
const MIN_DIGITS = 6

/** A telephone as people write it: 8 to 20 characters, most of them digits. */
export const isTelephone = (text: string): boolean =>
  FORM.test(text) && text.length <= 20 && text.replace(/\D/g, '').length >= MIN_DIGITS
