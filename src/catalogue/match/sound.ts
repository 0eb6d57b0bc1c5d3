/** How a folded word sounds to a Spanish ear: words that sound alike are often written for one another. */
export function sound(word: string): string {
  return word
    .replace(/^hu(?=[aei])/, 'gu')
    .replace(/ch/g, '1')
    .replace(/ph/g, 'f')
    .replace(/h/g, '')
    .replace(/qu(?=[ei])/g, 'k')
    .replace(/gu(?=[ei])/g, '2')
    .replace(/g(?=[eiy])/g, 'j')
    .replace(/2/g, 'g')
    .replace(/x/g, 'j')
    .replace(/c(?=[eiy])|z/g, 's')
    .replace(/[cq]/g, 'k')
    .replace(/v/g, 'b')
    .replace(/ll/g, 'y')
    .replace(/y(?![aeou])/g, 'i')
    .replace(/w/g, 'u')
    .replace(/n(?=[bp])/g, 'm')
    .replace(/(.)\1+/g, '$1')
}
