/** The key of limits by address: an IPv4 address, or the /64 in which an IPv6 client may choose any address. */
export const addressKey = (ip: string): string => prefixOf(ip, 4)

/** A wider key: an IPv4 address, or the /48 that one customer may hold, with 65,536 networks of /64. */
export const networkKey = (ip: string): string => prefixOf(ip, 3)

function prefixOf(ip: string, ipv6Groups: number): string {
  if (!ip.includes(':')) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail] = ip.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':')
    while (groups.length + rest.length < 8) groups.push('0')
    groups.push(...rest)
  }
  return groups.slice(0, ipv6Groups).join(':')
}
