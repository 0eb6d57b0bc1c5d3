/** A field for somebody else's address: nothing of one's own is suggested, nothing is corrected. */
export const MAIL_INPUT = {
  type: 'email',
  autocomplete: 'off',
  inputmode: 'email',
  autocapitalize: 'none',
  spellcheck: false,
  maxlength: 50,
} as const
