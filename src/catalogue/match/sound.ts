/** How a folded word sounds to a Spanish ear: words that sound alike are often written for one another. */
export function sound(word: string): string {
  let heard = ''
  let last = ''
  for (let at = 0; at < word.length; at++) {
    const letter = word.charAt(at)
    const next = word.charAt(at + 1)
    const after = word.charAt(at + 2)
    const softens = next === 'e' || next === 'i' || next === 'y'
    const silentU = next === 'u' && (after === 'e' || after === 'i')
    let here = letter
    switch (letter) {
      case 'h': // silent, but "hue" begins like "güe"
        here = at === 0 && next === 'u' && (after === 'a' || after === 'e' || after === 'i') ? 'g' : ''
        break
      case 'c':
        here = next === 'h' ? CH : softens ? 's' : 'k'
        if (next === 'h') at++
        break
      case 'p':
        here = next === 'h' ? 'f' : 'p'
        break
      case 'q':
        here = 'k'
        if (silentU) at++
        break
      case 'g':
        here = softens ? 'j' : 'g'
        if (silentU) at++
        break
      case 'l':
        here = next === 'l' ? 'y' : 'l'
        if (next === 'l') at++
        break
      case 'y':
        here = next !== '' && 'aeou'.includes(next) ? 'y' : 'i'
        break
      case 'n':
        here = next === 'b' || next === 'v' || next === 'p' ? 'm' : 'n'
        break
      default:
        here = SAME_SOUND[letter] ?? letter
    }
    if (here === last) continue
    heard += here
    if (here) last = here
  }
  return heard
}

const CH = '1' // one sound, two letters
const SAME_SOUND: Record<string, string> = { x: 'j', z: 's', v: 'b', w: 'u' }
