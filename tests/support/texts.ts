import { parse } from '@babel/parser'

interface Node {
  type: string
  [name: string]: unknown
}

/** Attributes and members whose value people read. */
const READ =
  /^(title|label|placeholder|alt|aria-label|aria-description|heading|head|lead|intro|description|button|caption|hint|missing|none|noMatch|all|what|note|badge|overline|text|newer|older|message)$/
/** Functions whose text arguments people read. */
const READ_BY =
  /^(textFilter|searchFilter|numberFilter|dayFilter|selectFilter|loadedFilter|column|countColumn|momentColumn|forbidden|notFound)$/
/** Of these, the functions whose second argument is a name or a code. */
const NAMED_SECOND = /^(column|forbidden)$/
/** The function whose text is part of `Errors`, which the specification has in Spanish for every reader. */
const SPANISH = /^fault$/
/** Elements with code, which is not translated. */
const CODE = /^(code|pre|kbd|samp|Code|CopyCode|Json|style|script)$/
/** Names, units and formats that are the same in every language. */
const SAME =
  /^(Rodado|Samsung Internet|WhatsApp|Chat|Email|CSV|JSON|API|ADF|HTTP|URL|YAML|OpenAPI 3\.[01]|id|ms|kB|MB|QR|Webhooks?|Español|Português|English)$/
/** Two words that begin a sentence, or a letter that only Spanish has. */
const SENTENCE = /^[¿¡«]|^\p{Lu}\p{Ll}*[ ,]+\p{L}|\p{L}{2,} \p{L}+.*[.:?!]$|[áéíóúñÁÉÍÓÚÑ¿¡«»]/u
/** A key of a catalogue. */
const KEY_TEXT = /^[a-z]+(\.[\w-]+)+$/
/** Of a stylesheet in a template. */
const CODE_SIGNS = /[{}]/
const WORD = /\p{L}{2,}/u

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const childrenOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([name, value]) => (name === 'loc' ? [] : [value].flat().filter(isNode)))

const nameOf = (node: unknown): string =>
  isNode(node) ? String(node.name ?? node.value ?? nameOf(node.name ?? node.property)) : String(node)

const isRead = (text: string) => WORD.test(text) && !CODE_SIGNS.test(text) && !SAME.test(text) && !KEY_TEXT.test(text)

/** The texts of a source that are written in it instead of a catalogue. */
export function hardCoded(source: string): string[] {
  const found: string[] = []
  const add = (text: string) => void (isRead(text.trim()) && found.push(text.trim()))

  /** `shown`: the value of the node is shown to people. */
  function visit(node: Node, shown: boolean): void {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        if (isNode(node.declaration)) visit(node.declaration, false)
        return
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
      case 'TSTypeAnnotation':
      case 'TSTypeParameterInstantiation':
        return
      case 'JSXText':
        return add(String(node.value))
      case 'StringLiteral':
        if (shown || SENTENCE.test(String(node.value))) add(String(node.value))
        return
      case 'TemplateElement': {
        const { cooked } = node.value as { cooked: string }
        if (shown || SENTENCE.test(cooked)) add(cooked)
        return
      }
      case 'TemplateLiteral':
      case 'ConditionalExpression':
      case 'LogicalExpression':
      case 'JSXExpressionContainer':
      case 'TSAsExpression':
        for (const child of childrenOf(node)) visit(child, shown && child !== node.test)
        return
      case 'ArrayExpression': {
        // A pair of a select is `[value, label]`.
        const [first, second, ...more] = node.elements as Node[]
        const isPair = first?.type === 'StringLiteral' && second?.type === 'CallExpression' && more.length === 0
        for (const child of childrenOf(node)) visit(child, shown && !(isPair && child === first))
        return
      }
      case 'BinaryExpression':
        for (const child of childrenOf(node)) visit(child, shown && node.operator === '+')
        return
      case 'ArrowFunctionExpression':
        for (const child of childrenOf(node)) visit(child, shown && child === node.body)
        return
      case 'JSXElement': {
        const element = nameOf((node.openingElement as Node).name)
        visit(node.openingElement as Node, false)
        if (!CODE.test(element)) for (const child of node.children as Node[]) visit(child, true)
        return
      }
      case 'JSXFragment':
        for (const child of node.children as Node[]) visit(child, true)
        return
      case 'JSXAttribute':
        if (isNode(node.value)) visit(node.value, READ.test(nameOf(node.name)))
        return
      case 'ObjectProperty':
        visit(node.value as Node, READ.test(nameOf(node.key)))
        return
      case 'CallExpression':
        visit(node.callee as Node, false)
        if (SPANISH.test(nameOf(node.callee))) return
        for (const [at, argument] of (node.arguments as Node[]).entries())
          visit(argument, READ_BY.test(nameOf(node.callee)) && !(at === 1 && NAMED_SECOND.test(nameOf(node.callee))))
        return
      default:
        for (const child of childrenOf(node)) visit(child, false)
    }
  }

  visit(parse(source, { sourceType: 'module', plugins: ['typescript', 'jsx'] }).program as unknown as Node, false)
  return found
}

/** A letter that only Spanish has, or one of its short words among others. */
const SPANISH_LETTER = /[áéíóúñÁÉÍÓÚÑ¿¡«»]/
const SPANISH_WORD =
  /(^|[\s(,])(el|la|los|las|de|del|que|un|una|con|por|para|su|sus|hasta|puede|hay|se|en|es|ya|sin)(?=[\s.,:)]|$)/i
const isSpanish = (text: string) =>
  WORD.test(text) && (SPANISH_LETTER.test(text) || (/\S\s+\S/.test(text) && SPANISH_WORD.test(text)))

/** The Spanish texts of a source, except those of `Errors`, of descriptions in schemas and of SQL. */
export function spanishIn(source: string): string[] {
  const found: string[] = []
  function visit(node: Node): void {
    if (/^(Import|TSTypeA|TSInterface|TSTypeParameterInst)/.test(node.type)) return
    if (node.type === 'TaggedTemplateExpression' && nameOf(node.tag) === 'sql') return
    if (node.type === 'CallExpression' && SPANISH.test(nameOf(node.callee))) return
    if (node.type === 'ObjectProperty' && nameOf(node.key) === 'description') return
    if (node.type === 'StringLiteral' || node.type === 'JSXText') found.push(String(node.value))
    if (node.type === 'TemplateElement') found.push((node.value as { cooked: string }).cooked)
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parse(source, { sourceType: 'module', plugins: ['typescript', 'jsx'] }).program as unknown as Node)
  return found.map((text) => text.trim()).filter(isSpanish)
}

const KEY = /['"`]([a-z]+\.[^'"`\s]+)['"`]/g

/** Tells whether one of the sources names a key: whole, or by a template (`area.estado.${estado}`). */
export function keysUsed(sources: readonly string[]): (key: string) => boolean {
  const named = sources.flatMap((source) => [...source.matchAll(KEY)].map(([, key = '']) => key))
  const whole = new Set(named.filter((key) => !key.includes('${')))
  const escaped = (text: string) => text.replace(/[.*+?^()|[\]\\]/g, '\\$&')
  const patterns = named
    .filter((key) => key.includes('${'))
    .map(
      (key) =>
        new RegExp(
          `^${key
            .split(/\$\{[^}]*\}/)
            .map(escaped)
            .join('.+')}$`,
        ),
    )
  return (key) => whole.has(key) || patterns.some((pattern) => pattern.test(key))
}
