// Buttons that use or make a passkey and then send their form. Without this script they are not shown.
const isAble =
  'PublicKeyCredential' in window &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential

for (const part of document.querySelectorAll('[data-passkey]')) {
  part.hidden = !isAble
  part.querySelector('button').addEventListener('click', () => answer(part))
}

async function answer(part) {
  const { passkey: mode, options, cancelled, known } = part.dataset
  const [field, fault] = [part.querySelector('input'), part.querySelector('.fault')]
  fault.textContent = ''
  try {
    const credential = await (mode === 'create' ? create : get)(JSON.parse(options))
    field.value = JSON.stringify(credential)
  } catch (error) {
    fault.textContent = error.name === 'InvalidStateError' ? known : cancelled
    return
  }
  part.closest('form').submit()
}

const get = (options) =>
  navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })

const create = (options) =>
  navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
