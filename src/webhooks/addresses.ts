import ipaddr from 'ipaddr.js'
import { parseCallbackRange } from '../config.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Range = [Address, number]

/** A private range that callbacks may reach, on one port or on all of them. */
export interface AllowedRange {
  range: Range
  port: number | undefined
}

/** Reads entries of ALLOW_PRIVATE_CALLBACKS; one address is a range of one. */
export const readRanges = (entries: readonly string[]): AllowedRange[] =>
  entries.flatMap((entry) => {
    const parsed = parseCallbackRange(entry)
    return parsed ? [{ range: rangeOf(parsed.cidr), port: parsed.port }] : []
  })

function rangeOf(cidr: string): Range {
  if (cidr.includes('/')) return ipaddr.parseCIDR(cidr)
  const address = ipaddr.parse(cidr)
  return [address, address.toByteArray().length * 8]
}

/** True for IPv4 in dotted decimal form and IPv6 in any form. */
export const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)

/**
 * Classifies an address and port: public, in a range that the operator opened, or closed. An IPv6 address that contains
 * an IPv4 address gets the stricter class of the two, since a gateway may forward to the latter.
 */
export function classify(text: string, port: number, allowed: readonly AllowedRange[]): 'public' | 'opened' | 'closed' {
  if (!isAddress(text)) return 'closed'
  const opened = allowed.filter((each) => each.port === undefined || each.port === port).map(({ range }) => range)
  const kinds = candidateAddresses(ipaddr.parse(text)).map((address) => {
    if (isIn(opened, address)) return 'opened'
    return isPublic(address) ? 'public' : 'closed'
  })
  if (kinds.includes('closed')) return 'closed'
  return kinds.includes('opened') ? 'opened' : 'public'
}

/** Azure's host agent: a public address that the machine's own host answers. */
const SPECIAL = new Set(['168.63.129.16'])
const GLOBAL_UNICAST: Range = ipaddr.parseCIDR('2000::/3')

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  // The library calls every unnamed range unicast; of IPv6 only 2000::/3 is assigned.
  return address instanceof ipaddr.IPv6 ? isIn([GLOBAL_UNICAST], address) : !SPECIAL.has(address.toString())
}

const isIn = (ranges: readonly Range[], address: Address): boolean =>
  ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))

/** An IPv4 address written as IPv6: the operating system or the network's NAT64 connects to that. */
const IPV4_MAPPED = [ipaddr.parseCIDR('::ffff:0:0/96'), ipaddr.parseCIDR('64:ff9b::/96')]

/** Ranges that embed an IPv4 address, and its position in bytes; an `inverted` one has its bits inverted. */
const IPV4_EMBEDDED: { range: Range; offset: number; inverted?: true }[] = [
  { range: ipaddr.parseCIDR('::/96'), offset: 12 }, // IPv4-compatible (RFC 4291)
  { range: ipaddr.parseCIDR('::ffff:0:0:0/96'), offset: 12 }, // IPv4-translated (RFC 2765)
  { range: ipaddr.parseCIDR('64:ff9b:1::/48'), offset: 12 }, // a network's own NAT64 (RFC 8215)
  { range: ipaddr.parseCIDR('2002::/16'), offset: 2 }, // 6to4 (RFC 3056)
  { range: ipaddr.parseCIDR('2001::/32'), offset: 4 }, // Teredo's server (RFC 4380)
  { range: ipaddr.parseCIDR('2001::/32'), offset: 12, inverted: true }, // and its client
]
const ISATAP = /^0[02]005efe$/ // RFC 5214: the first half of an interface's id, in any network

/** The bytes of each address that a text may mean, as texts to compare; none if it is no address. */
export const bytesOf = (text: string): string[] =>
  isAddress(text) ? candidateAddresses(ipaddr.parse(text)).map((address) => address.toByteArray().join('.')) : []

/** The addresses that a connection may reach: itself, and each IPv4 address in it. */
function candidateAddresses(address: Address): Address[] {
  if (address instanceof ipaddr.IPv4 || address.range() === 'loopback') return [address] // ::1 is not 0.0.0.1
  const bytes = address.toByteArray()
  if (isIn(IPV4_MAPPED, address)) return [ipv4At(bytes, 12)]
  const embedded = IPV4_EMBEDDED.filter(({ range }) => isIn([range], address)).map(({ offset, inverted }) =>
    ipv4At(inverted ? bytes.map((byte) => byte ^ 0xff) : bytes, offset),
  )
  if (ISATAP.test(Buffer.from(bytes.slice(8, 12)).toString('hex'))) embedded.push(ipv4At(bytes, 12))
  return [address, ...embedded]
}

const ipv4At = (bytes: number[], offset: number): Address => new ipaddr.IPv4(bytes.slice(offset, offset + 4))
