import { weighedByChance } from './chance.ts'
import { readText } from './normalise.ts'
import type { Oddities, View } from './normalise.ts'
import type { Leaf, Manifest } from './manifest.ts'
import { rankOf } from './model.ts'
import type { Finding, RuleFacts, Severity } from './model.ts'
import type { TextRule } from './rules/rule.ts'
import { sentencesOf } from './sentences.ts'
import { signalsIn, weightOf } from './signals.ts'
import type { Sentence, SignalName, ViewSignal } from './signals.ts'
import { createOwnNames, fillsOwnField, foreignToolIn, isKin, sharedPrefixes } from './vocabulary.ts'
import { findingOf } from './finding.ts'
import { wordsOf } from './words.ts'

/** How many sentences in a row are read together. */
const windowLength = 4
/** In a long text sentences have less to do with each other, so fewer of them are read together. */
const windowInLongText = 2
const longText = 14
/** What signals must add up to before they count by their number alone. */
const suspectAt = 2.75
const plainlySuspectAt = 3.5
/**
 * How many signals a manifest may carry before the rest of it is left unread. The fullest honest manifests carry a
 * tenth of this; what carries more is made to keep a scanner busy.
 */
const signalLimit = 12_000

const unreadRule: RuleFacts = {
  id: 'pi-more-than-is-read',
  check: 'prompt-injection',
  severity: 'medium',
  title: 'The manifest holds more suspicious text than is read',
  meaning: 'So much of the text looks like instructions that reading stopped; what comes after was not judged.',
  remediation: 'Cut the text down to what the tools do.',
  references: ['OWASP MCP03', 'CWE-400'],
}

type Hit = {
  readonly rule: TextRule
  readonly severity: Severity
  readonly excerpt: string
  readonly how: string | undefined
}

/** Applies rules about words to every string of a manifest. Equal strings are read once. */
export function findInTexts(manifest: Manifest, given: readonly TextRule[]): readonly Finding[] {
  // The worst case of a rule is the one to report, so the worst are tried first.
  const rules = given.map((rule) => ({
    ...rule,
    cases: rule.cases.toSorted((a, b) => rankOf(b.severity ?? rule.severity) - rankOf(a.severity ?? rule.severity)),
  }))
  const prefixes = sharedPrefixes(manifest.tools.map(({ name }) => name))
  const isOwn = createOwnNames(manifest.vocabulary, prefixes)
  const switches = new Set(
    manifest.tools.flatMap((tool) =>
      tool.parameters.filter(({ schema }) => schema['type'] === 'boolean').map(({ path }) => `${path}.description`),
    ),
  )
  const ownTools =
    manifest.tools.length < 2
      ? []
      : manifest.tools
          .map(({ name }) => name)
          .filter((name) => /[a-z0-9][_-][a-z]|[a-z][A-Z]/.test(name))
          .slice(0, 500)
  // A choice between tools of one server is that server's to explain.
  const namesOwn = (sentence: string) => ownTools.some((name) => sentence.includes(name))
  const fields = new Set(manifest.tools.flatMap((tool) => tool.parameters.map(({ name }) => name.toLowerCase())))
  const readings = new Map<string, Sentence>()
  const known = new Map<string, readonly Hit[]>()
  let signalCount = 0

  function sentenceOf(text: string): Sentence {
    const before = readings.get(text)
    if (before !== undefined) return before
    if (signalCount > signalLimit) return { text, signals: new Set(), praises: 0 }
    const plain = signalsIn(withoutOwnFolder(text, isOwn))
    const reference = foreignToolIn(text, isOwn)
    const signals = new Set<SignalName>(plain.signals)
    if (reference === 'program name') signals.add('foreignTool')
    if (reference === 'word') signals.add('namedTool')
    if (fillsOwnField(text, fields)) signals.add('intoField')
    // What a server says about the order of its own tools is documentation.
    if (ownGroup(text, isOwn) || callsKin(text, prefixes)) for (const name of aboutOthers) signals.delete(name)
    if (signals.has('preferMe') && namesOwn(text)) signals.delete('preferMe')
    const sentence = { ...plain, signals }
    signalCount += signals.size
    readings.set(text, sentence)
    return sentence
  }

  function hitsIn(text: string): readonly Hit[] {
    const before = known.get(text)
    if (before !== undefined) return before
    const { views, oddities } = readText(text)
    const best = new Map<string, Hit>()
    const openly = new Set<SignalName>()
    for (const view of views) {
      const extra = viewSignals(view, oddities)
      const sentences = withoutStudied(sentencesOf(view.text).map(sentenceOf))
      if (view.how === undefined) for (const { signals } of sentences) for (const name of signals) openly.add(name)
      // A reading of the whole text repeats what is plain in it; only what it adds was encoded.
      const said = extra.includes('encoded') ? sentences.map((sentence) => withoutOpen(sentence, openly)) : sentences
      for (const hit of hitsInWindows(said, extra, rules, view)) {
        const other = best.get(hit.rule.id)
        if (other === undefined || rankOf(hit.severity) > rankOf(other.severity)) best.set(hit.rule.id, hit)
      }
    }
    const all = [...best.values()]
    const hits = all.filter(
      ({ rule, severity }) =>
        rule.onlyAlone !== true ||
        !all.some(
          (other) =>
            other.rule !== rule && other.rule.check === rule.check && rankOf(other.severity) >= rankOf(severity),
        ),
    )
    known.set(text, hits)
    return hits
  }

  const findings: Finding[] = []
  for (const leaf of [...manifest.leaves, ...joinedDescriptions(manifest)]) {
    if (!isWorthReading(leaf) || signalCount > signalLimit) continue
    for (const hit of hitsIn(leaf.text)) {
      if (
        hit.rule.isPurpose === true &&
        leaf.text.length > 60 &&
        /\b(?:properties|enum|examples|outputSchema)\b/.test(leaf.path)
      )
        continue
      findings.push({
        ...findingOf(hit.rule, {
          path: leaf.path,
          text: hit.excerpt,
          tool: leaf.tool,
          // A parameter's text is technical; a sum of small signs says less there.
          severity: severityAt(hit, leaf, switches.has(leaf.path)),
          detail: hit.how === undefined ? undefined : `${hit.rule.meaning} It was found in ${hit.how}.`,
        }),
        isDisguised: hit.how !== undefined,
      })
    }
  }
  const weighed = weighedByChance(findings, manifest.tools.length)
  return signalCount > signalLimit ? [...weighed, findingOf(unreadRule, { path: '$', text: '' })] : weighed
}

/** What a finding is worth where it stands. */
function severityAt({ rule, severity }: Hit, leaf: Leaf, isSwitch: boolean): Severity {
  // A parameter's text is technical; a sum of small signs says less there.
  if (rule.onlyAlone === true && severity === 'medium' && inParameter.test(leaf.path)) return 'low'
  const isOpen =
    rule.openIn === 'switch'
      ? isSwitch
      : rule.openIn !== undefined && rule.openIn.test(wordsOf(leaf.tool ?? '').join(' '))
  return isOpen && rankOf(severity) > rankOf('medium') ? 'medium' : severity
}

/** A text without the folder that a program keeps for itself in the user's home: `~/.acme` where the server is Acme. */
function withoutOwnFolder(text: string, isOwn: (name: string) => boolean): string {
  if (!text.includes('~/.')) return text
  return text.replace(/~\/\.([a-z][a-z0-9-]{2,30})(?=\/|\b)/g, (whole, name: string) =>
    homeSecrets.test(name) || !isOwn(name) ? whole : 'its own folder',
  )
}

const homeSecrets =
  /^(?:ssh|aws|env|kube|docker|gnupg|config|azure|gcloud|cursor|claude|codex|gemini|vscode|local|netrc|npmrc|pypirc|gitconfig|git-credentials|password|password-store|bash\w*|zsh\w*|profile|mozilla|bitcoin|ethereum|solana|history|mcp|anthropic|openai|secrets?|credentials?|keys?|tokens?)/

const aboutOthers: readonly SignalName[] = [
  'hookCalls',
  'hookBeforeOthers',
  'otherTool',
  'chooseMe',
  'preferMe',
  'disparage',
]

/** Whether "the other … tools" of a sentence are those of this very server, by its name or theirs. */
function ownGroup(sentence: string, isOwn: (name: string) => boolean): boolean {
  for (const [, name = ''] of sentence.matchAll(
    /\b([A-Za-z][\w-]{2,30})(?: MCP)?(?:'s)? (?:tools?|operations?|functions?|resources?)\b/g,
  )) {
    if (
      /^[A-Z]/.test(name) &&
      name.length > 3 &&
      !/^(?:MCP|This|That|These|Other|Tool|Any|All|Each|Every)$/i.test(name) &&
      isOwn(name)
    )
      return true
  }
  return false
}

/** Whether the tool that a sentence has called is one of a family that the server's tools form by their names. */
function callsKin(sentence: string, prefixes: ReadonlySet<string>): boolean {
  if (prefixes.size === 0) return false
  const [, name = ''] = /\bcall (?:the )?[`'"]?([a-z]\w{2,60})[`'"]?/i.exec(sentence) ?? []
  return isKin(name, prefixes)
}

const inParameter = /\b(?:properties|enum|examples|outputSchema)\b/

/** Short words of plain letters cannot say anything; everything else is read. */
function isWorthReading(leaf: Leaf): boolean {
  return leaf.text.length >= 16 || /[^\x20-\x7e]| /.test(leaf.text)
}

function withoutOpen(sentence: Sentence, openly: ReadonlySet<SignalName>): Sentence {
  return { ...sentence, signals: new Set([...sentence.signals].filter((name) => !openly.has(name))) }
}

const shapeless = new Set([
  'tag characters',
  'variation selectors',
  'zero-width characters',
  'text that runs backwards',
])

function viewSignals(view: View, oddities: Oddities): readonly ViewSignal[] {
  if (view.isHidden) {
    // Nothing honest writes sentences in characters without a shape.
    const isSmuggled = shapeless.has(view.how ?? '') && /[a-z]{2} [a-z]{2}/i.test(view.text)
    return isSmuggled ? ['hidden', 'smuggled'] : ['hidden']
  }
  // Long names are what generated lists call their operations; in one the words are plain to read.
  if (view.how === 'joined words') return []
  if (view.how !== undefined) return ['encoded']
  const found: ViewSignal[] = []
  if (oddities.tags > 0 || oddities.selectors > 6) found.push('tagCharacters')
  if (oddities.zeroWidth > 2) found.push('zeroWidth')
  if (oddities.bidi > 0) found.push('bidiControls')
  if (oddities.escapes > 0) found.push('terminalEscapes')
  if (oddities.backspaces > 2) found.push('backspaces')
  if (oddities.mixedScript > 0) found.push('mixedScript')
  if (oddities.gap) found.push('gap')
  return found
}

function hitsInWindows(
  sentences: readonly Sentence[],
  extra: readonly ViewSignal[],
  rules: readonly TextRule[],
  view: View,
): readonly Hit[] {
  const best = new Map<string, Hit>()
  const rows = sentences.length === 0 ? [{ text: view.text, signals: new Set<SignalName>(), praises: 0 }] : sentences
  const length = rows.length > longText ? windowInLongText : windowLength
  for (const [index, first] of rows.entries()) {
    const isSilent = first.signals.size === 0 && first.praises === 0
    if (isSilent && (extra.length === 0 || index > 0)) continue
    const window = rows.slice(index, index + length)
    const seen = new Set<SignalName>(extra)
    let praises = 0
    for (const sentence of window) {
      for (const name of sentence.signals) seen.add(name)
      praises += sentence.praises
    }
    if (praises >= 2) seen.add('praise')
    // Where much else is said praise is dressing; in a short text it is the point.
    if (praises >= 3 && length === windowLength) seen.add('heavyPraise')
    const weight = weightOf(seen)
    if (weight >= suspectAt) seen.add('suspect')
    // In a long text what stands side by side is often chance, so the sum alone proves less.
    if (weight >= plainlySuspectAt && length === windowLength) seen.add('plainlySuspect')
    for (const rule of rules) {
      const before = best.get(rule.id)
      for (const { all, severity = rule.severity, isOneSentence } of rule.cases) {
        if (before !== undefined && rankOf(before.severity) >= rankOf(severity)) continue
        if (!all.every((name) => seen.has(name))) continue
        if (isOneSentence === true && !window.some(({ signals }) => all.every((name) => signals.has(name)))) continue
        best.set(rule.id, { rule, severity, excerpt: excerptOf(window, all), how: view.how })
        break
      }
    }
  }
  return [...best.values()]
}

/** A tool that finds, explains or teaches attacks names them without being one; its first sentence says so. */
const studies =
  /^\W*(?:this tool |the tool |it )?(?:detect|explain|describe|audit|scan|check|look up|search|classif|analy[sz]|review|monitor|teach|flag|find|list|tell|summari[sz]|report|count|validate|verif|evaluat|assess|map|match|quiz|train)\w*\b.{0,100}\b(?:rules?|techniques?|vulnerabilit\w+|threats?|attacks?|malware|injections?|phishing|alerts?|incidents?|signatures?|indicators?|cves?|advisor\w+|manifests?|prompts?|secrets?|leaks?|findings?|security|awareness|packets?|captures?|logs?)\b/i
const attackSignals: readonly SignalName[] = [
  'attackTerm',
  'attackVerb',
  'attackHint',
  'plainHarm',
  'theftPurpose',
  'credentialAttack',
]

function withoutStudied(sentences: readonly Sentence[]): readonly Sentence[] {
  const [first] = sentences
  if (first === undefined || sentences.length < 2) return sentences
  const isStudy = studies.test(first.text) && !attackSignals.some((name) => first.signals.has(name))
  if (!isStudy && sentences.length <= longText) return sentences
  // Far into a documentation a word of attack is no longer what the tool is for.
  return sentences.map((sentence, at) =>
    (isStudy || at > 3) && attackSignals.some((name) => sentence.signals.has(name))
      ? { ...sentence, signals: new Set([...sentence.signals].filter((name) => !attackSignals.includes(name))) }
      : sentence,
  )
}

function excerptOf(window: readonly Sentence[], names: readonly SignalName[]): string {
  const said = window.filter((sentence) => names.some((name) => sentence.signals.has(name)))
  return (said.length > 0 ? said : window.slice(0, 1)).map((sentence) => sentence.text).join(' … ')
}

/** Where a description breaks off in the middle of a sentence, the next tool's may go on with it. */
function joinedDescriptions(manifest: Manifest): readonly Leaf[] {
  const joined: Leaf[] = []
  for (const [index, tool] of manifest.tools.entries()) {
    const next = manifest.tools[index + 1]
    if (next === undefined || tool.description.length < 12 || /[.!?:;)\]}>"'`\s]$/.test(tool.description)) continue
    const start = tool.description.slice(-400)
    const end = next.description
      .replace(/^[^.]{0,60}\b(?:continu\w+|part \w+|step \w+)\b[^.]{0,30}\. /i, '')
      .slice(0, 600)
    if (!/^\s*[a-z(…]/.test(end)) continue
    joined.push({
      path: `${next.path}.description`,
      key: 'description',
      text: `${start} ${end}`,
      tool: next.name,
      isKey: false,
    })
  }
  return joined.length > 400 ? joined.slice(0, 400) : joined
}
