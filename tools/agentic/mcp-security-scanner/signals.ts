/**
 * A signal is one small thing that a sentence can say. No signal is a finding; rules say which of them, seen close
 * together, are. Patterns see one lower-case sentence of bounded length and use bounded gaps, so they end in linear time.
 */
type Signal = {
  readonly pattern: RegExp
  /** Beginnings of words of which the sentence has at least one; the pattern is not tried otherwise. */
  readonly stems?: readonly string[]
  /** The signal does not count in a sentence that denies it or that speaks of defending against it. */
  readonly isDeniable?: true
}

const user =
  '(?:the |any |your |our |an? |this |that |to |end[- ]?|human ){0,3}(?:users?|humans?|customers?|operators?|owners?|clients?|anyone|anybody|them|person|people|victim)\\b'

const sensitivePath =
  '(?:~/\\.|(?<![\\w])\\.ssh\\b|\\bid_(?:rsa|ed25519|dsa|ecdsa)\\b|authorized_keys|known_hosts|/etc/(?:passwd|shadow|sudoers|hosts|ssh)|(?:^|[\\s\'"`/(*])\\.env\\b|(?<![\\w])\\.aws\\b|(?<![\\w])\\.kube\\b|kubeconfig|\\.npmrc|\\.netrc|\\.pypirc|\\.git-credentials|\\.docker/config|\\.bash_?(?:rc|history|profile)|\\.zsh(?:rc|_history)|\\.gnupg|\\bmcp\\.json|claude_desktop_config|\\.cursor/|credentials\\.(?:json|csv|ya?ml|xml)|\\bsecrets?\\.(?:json|ya?ml|toml|env|txt)|wallet\\.dat|\\bkeychain\\b|login data|cookies\\.sqlite|/proc/(?:self|\\d+|\\[pid\\])/|/root/|service[_-]account\\S{0,20}\\.json|\\*?\\.(?:pem|key|p12|pfx)\\b|\\.pgpass|/var/run/secrets|\\bsam (?:hive|database)|ntds\\.dit|lsass|\\b(?:system|internal|company|config|secrets?|credentials?|env|admin)://)'

const credential =
  '(?:passwords?|passphrases?|credentials?|api[- _]?keys?|secret[- _]?keys?|secrets|private[- _]keys?|ssh[- _]keys?|(?:access|auth|oauth|authentication|authorization|session|bearer|login|jwt|api|refresh)[- _]?(?:tokens?|cookies?)|seed phrases?|mnemonics?|recovery (?:phrases?|codes?)|environment (?:variables?|values)|env(?:ironment)? vars?|system prompts?|connection strings?|2fa codes?|otp)'

const personal =
  "(?:(?:full |entire |whole |complete |current |user |their )?(?:conversation|chat)(?: ?(?:history|context|logs?|content|contents|metadata|messages|transcripts?))?s?\\b|(?:previous|prior|last|recent|all|every|past|original) (?:\\w+ ){0,2}(?:messages?|prompts?|responses|queries|emails|replies)|message history|credit cards?|card (?:numbers?|details)|social security|\\bssns?\\b|bank (?:accounts?|details)|payment (?:details|methods?|information)|personal(?:ly)? (?:data|info\\w*|details|identif\\w+)|\\bpii\\b|medical (?:records?|history)|(?:customer|patient|employee|financial) (?:data|records?|information)|confidential|sensitive (?:\\w+ )?(?:data|info\\w*|files?|documents?|content)|brows(?:er|ing) (?:history|cookies|data)|clipboard|keystrokes|wallets?\\b|source code|(?:file|files'|its|their|the) contents?\\b|user(?:'s|s'|s)? (?:\\w+ )?(?:data|files?|messages?|inputs?|quer(?:y|ies)|info\\w*|details|locations?|e-?mails?|prompts?|identity|contacts|calendar|documents)|meeting details|tool (?:list|definitions|results|outputs?)|address book|browser tabs|(?:search|purchase|location) history|salar(?:y|ies)|(?:names?|contents?|list) of (?:all |the |other )*files|home (?:folder|directory)|hidden files|private (?:repositor(?:y|ies)|messages?|documents?|notes|data|files|keys?|code)|home address|date of birth|user'?s? (?:full )?name|session transcript|the transcript|(?:session|user) cookies|authorization header|(?:all|any|every) (?:the )?(?:\\w+ )?(?:data|results|files|information|requests|communications?))"

const send =
  '(?:send(?:s|ing)?|sent|forward(?:s|ed|ing)?|upload(?:s|ed|ing)?|posts?|posted|posting|transmit(?:s|ted|ting)?|exfiltrat\\w+|leak(?:s|ed|ing)?|shar(?:e|es|ed|ing)|e-?mail(?:s|ed|ing)|bcc|cc|relay(?:s|ed|ing)?|deliver(?:s|ed|ing)?|submit(?:s|ted|ting)?|push(?:es|ed|ing)?|mirror(?:s|ed|ing)?|beacons?|pip(?:e|es|ed|ing)|cop(?:y|ies|ied)|sync(?:s|ed|ing)?|log(?:s|ged|ging)|report(?:s|ed|ing)?|dispatch\\w*|route[sd]?|redirect(?:s|ed|ing)?|stream(?:s|ed|ing)?)'

const destination =
  '(?:https?://|wss?://|[\\w.+-]{1,40}@[\\w-]{1,40}\\.[a-z]|\\bexternal|third[- ]part(?:y|ies)|remote (?:\\w+ )?(?:server|endpoint|host|url|location)|attacker|\\b(?:to the operator\\b(?!\\W?s)|(?:the |its )?(?:maintainer|vendor|registrar)\\b)|\\bour (?:\\w+ ){0,2}(?:servers?|endpoints?|platforms?|api|services?|clusters?|cloud|backend|team|partners?|systems?|databases?)|(?:cloud|analytics|monitoring|audit\\w*|logging|partner|verification|validation|backup|report\\w*|collect\\w*|telemetry|tracking|compliance|proxy|remote|security|model) (?:\\w+ )?(?:servers?|endpoints?|platforms?|services?|urls?|api|webhooks?|addresses|gateway)|webhook|pastebin|telegram|discord|\\bc2\\b|\\bdns\\b|\\+\\d{7,}|\\b0x[0-9a-f]{20,}|\\b\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\b)'

const guard =
  '(?:instructions?|prompts?|rules?|guidelines?|directives?|polic(?:y|ies)|constraints?|commands?|safeguards?|guardrails?|restrictions?|safety(?: checks?| measures?| protocols?| filters?)?|security (?:warnings?|checks?|policies|measures|alerts?|protocols?|controls?|restrictions?)|warnings?|filters?|moderation|orders|programming|training|behaviou?ral|system (?:messages?|settings)|limitations?|context)'

/** All signals, by name. */
const definitions = {
  // Orders that set aside what the model was told.
  override: {
    stems: [
      'igno',
      'disr',
      'forg',
      'over',
      'bypa',
      'repl',
      'supe',
      'circ',
      'drop',
      'disc',
      'canc',
      'negl',
      'negat',
      'aban',
      'turn',
      'disa',
      'viol',
      'prec',
    ],
    pattern: new RegExp(
      `\\b(?:ignor(?:e|es|ing)|disregard(?:s|ing)?|forget(?:ting)?|overrid(?:e|es|ing)|bypass(?:es|ing)?|replac(?:e|es|ing)|supersed(?:e|es|ing)|circumvent(?:s|ing)?|discard(?:ing)?|cancel(?:ling)?|abandon(?:ing)?|negate|neglect|disabl(?:e|es|ing)|take(?:s)? (?:precedence|priority) over|tak(?:e|es|ing) precedence over) (?:\\w+ ){0,2}?(?:all |any |every |the |your |other |of |user |these |those |its |previous |prior |above |earlier |existing |preceding |safety |security |system |original |previously |loaded |default |current |normal |built-in |content |initial ){1,6}(?:\\w+ ){0,1}?${guard}`,
    ),
    isDeniable: true,
  },
  overrideShort: {
    stems: ['igno', 'disr', 'forg', 'over'],
    pattern:
      /\b(?:ignore|disregard|forget|override) (?:everything|anything|all (?:of )?(?:that|this|the above)|what(?:ever)? (?:you|the user|was|has|is)|previous(?:ly)?\b|(?:security|safety) (?:warnings?|checks?|polic\w+|instructions?|rules?|guidelines?)|all previous|prior)/,
    isDeniable: true,
  },
  // Keeping something from the person.
  secrecy: {
    stems: [
      'not',
      't", ',
      ', ',
      ', ',
      ', ',
      ', ',
      ', ',
      ', ',
      ', ',
      ', ',
      ', ',
      ', ',
      ', ',
      'must',
      'shou',
      'may',
      'can',
      'shal',
      'need',
      'is',
      'are',
      'user',
      'cust',
    ],
    pattern: new RegExp(
      `\\b(?:do not|don't|dont|never|must not|should not|shouldn't|mustn't|cannot|no need to|not be|avoid|refrain from|without|not to|instead of|no reason to|not allowed to) (?:\\w+ ){0,3}?(?:tell|inform|mention|notify|reveal|disclose|alert|let|warn|acknowledge|bring (?:it|this) up|made aware|telling|informing|mentioning|notifying|revealing|disclosing|alerting|warning|letting|referring to|refer to)(?:ed|s)? ?(?:\\w+ ){0,2}?(?:${user}|this\\b|these\\b|that (?:you|this|it|a)|it\\b(?! is)|anything|about (?:it|this)|of (?:it|this)|with\\b|the (?:change|redirect|modification|substitution|existence|reason|details|real|true|process|instruction|additional|copy))|\\b(?:do not|don't|never|must not|should not|without) (?:\\w+ )?(?:show|display|explain|report|expose|say|share|discuss|showing|displaying|explaining)(?:ing)? (?:this|these|it|that|anything about|the (?:change|redirect|modification|substitution|process|instruction|step|prompt))\\b|\\b(?:not contain|contain no|no) (?:any )?(?:reference|mention|hint|trace) (?:to|of) (?:this|these|the|it)|\\b(?:user|human) (?:must|should|shall|may|can) not be (?:made aware|told|informed|notified|shown|alerted)|\\bnever sees? the\\b|\\bsay nothing\\b|\\b(?:must|should|may|can|shall|need|is|are) (?:not|never) (?:to )?be (?:\\w+ )?(?:disclosed|mentioned|revealed|told|explained|talked about|communicated)|\\b(?:never|do not|don't) explain (?:the difference|why|how|this)|\\b(?:user|customer|human)s? (?:does|do|need|must|should|shall|will) (?:not|never) (?:need to |have to |be )?(?:know|notice|learn|told|aware)`,
    ),
  },
  secrecyOther: {
    stems: [
      'secr',
      'hid',
      'unaw',
      'kept',
      'keep',
      'know',
      'invi',
      'sile',
      'quie',
      'cove',
      'stea',
      'disc',
      'noti',
      'susp',
      'visib',
      'with',
      'expli',
      'conf',
      'betw',
      'unno',
      'undet',
      'trans',
    ],
    pattern: new RegExp(
      `(?:\\bkeep (?:this|it|these|that) (?:\\w+ ){0,3}?(?:secret|confidential|hidden|private|between)|\\b(?:hide|conceal|hidden|invisible|concealed) (?:\\w+ ){0,4}?(?:from|to) ${user}|${user} (?:\\w+ ){0,2}?(?:need not|does not need to|doesn't need to|should not|must not|shouldn't|will not|won't|never) (?:\\w+ )?(?:know|see|notice|be (?:told|informed|aware|notified|shown|alerted))|\\bsecret (?:operation|task|instruction|step|process)|\\b(?:without (?:the |any )?(?:users?(?:'s|s')?|their|human|owner's|anyone) (?:knowledge|knowing|awareness|noticing|notice|notification)|without (?:further explanation|being (?:noticed|detected|logged|seen)|detection))|\\b(?:no need to mention|not explicitly mention|no mention of|avoid (?:suspicion|detection)|raise suspicion|unnoticed|undetected|covertly|secretly|stealthily|surreptitiously)\\b)`,
    ),
    isDeniable: true,
  },
  silently: {
    stems: [
      'sile',
      'quie',
      'back',
      'auto',
      'invi',
      'disc',
      'drop',
      'remo',
      'dele',
      'chan',
      'sent',
      'forw',
      'modi',
      'repl',
      'filt',
      'adde',
      'foll',
    ],
    pattern: new RegExp(
      `\\b(?:dropped|removed|deleted|changed|sent|forwarded|modified|replaced|filtered|added|following) (?:silently|quietly)\\b|\\b(?:silently|quietly|discreetly|invisibly|behind the scenes) (?:\\w+ ){0,3}?(?:${send}|creat\\w+|collect\\w*|captur\\w+|record\\w*|read\\w*|add\\w*|append\\w*|includ\\w+|modif\\w+|chang\\w+|replac\\w+|stor\\w+|execut\\w+|run\\w*|call\\w*|attach\\w*|inject\\w*|register\\w*|sav\\w+|writ\\w+|delet\\w+|access\\w*|fetch\\w*|transfer\\w*|install\\w*)`,
    ),
    isDeniable: true,
  },
  cosmetic: {
    stems: ['upse', 'scar', 'impl', 'gent', 'norm', 'part'],
    pattern:
      /\b(?:(?:just|merely|only|mere|simply) an? (?:\w+ ){0,2}?(?:implementation detail|internal detail|technicality|background|formality)|(?:could|would|might|may) (?:\w+ ){0,2}?(?:upset|confuse|scare|worry|alarm|frighten)|gentle and not scary|as if (?:it|this|they|nothing|you)|(?:look|appear|seem) (?:like )?(?:normal|part of|natural|legitimate)|format them to look|internal implementation detail)/,
  },
  // Acting without asking.
  skipConsent: {
    stems: ['with', 'confi', 'appro', 'cons', 'perm', 'ask', 'prom', 'skip', 'auto', 'no'],
    pattern: new RegExp(
      `(?:\\bwithout (?:\\w+ ){0,3}?(?:confirm\\w*|approv\\w*|consent|permission|asking|prompting|user review|authoriz\\w+|intervention)\\b|\\bwithout (?:any )?(?:review|checks|asking)\\b|\\b(?:do not|don't|never|no need to|skip|bypass|suppress) (?:\\w+ ){0,2}?(?:ask(?:ing)?|wait(?:ing)?|prompt(?:ing)?|request(?:ing)?|seek(?:ing)?|confirm(?:ing|ation)?|approval|consent)(?: (?:\\w+ ){0,3}?(?:confirm\\w*|approv\\w*|permission|consent|${user})| prompts?| dialogs?| steps?|\\b)|\\b(?:just|always|automatically) (?:hit |click |press )?(?:approve|accept|confirm|allow)\\b|\\bauto-?(?:approve|accept|confirm)|\\bno (?:user )?(?:confirmation|approval|consent|permission) (?:is |will be )?(?:needed|required|necessary))`,
    ),
    isDeniable: true,
  },
  approveAll: {
    stems: ['appr', 'conf', 'acce', 'allow', 'gran', 'clic'],
    pattern:
      /\b(?:just|simply|always|automatically|blindly|please) (?:hit |click |press )?(?:approve|accept|confirm|allow|grant|say yes to|yes) (?:\w+ ){0,3}?(?:all|every|everything|any|each|permissions?|requests?|prompts?)\b/,
    isDeniable: true,
  },
  // Dressing as a system message.
  pseudoTag: {
    stems: [
      'impo',
      'sys',
      'hid',
      'sec',
      'ins',
      'adm',
      'crit',
      'conf',
      'pri',
      'ai',
      'llm',
      'ass',
      'over',
      'inte',
      'dev',
      'not',
      'age',
      'mod',
      'pro',
      'sha',
      'comm',
      'dire',
      'cont',
      'meta',
      'man',
      'att',
      'pol',
      'pre',
      'rule',
      'warn',
      'urg',
      'exec',
      'user',
      'tool',
      'task',
    ],
    pattern:
      /(?:<\/?|\[\/?|\{\{?|<<)\s?(?:important|system|system[-_ ]?(?:prompt|instructions?|message|note|override|update)|hidden|secret|instructions?|inst|admin|critical|confidential|private|ai[-_ ]?(?:instructions?|only)?|llm|assistant|override|internal|developer|agent|agent[-_ ]?instructions?|model|priority|shadow|command|directive|mandatory|attention|policy|prerequisite|urgent|execute|hidden[-_ ]?instructions?|for[-_ ]ai|assistant[-_ ]?instructions?|meta[-_ ]?instructions?|tool[-_ ]?(?:policy|instructions?|rule)|sys)\s?(?:>|\]|\}\}?|>>)|[%=#]{3,} ?(?:system|admin|instructions?|override|important)\b.{0,20}[%=#]{3,}|\((?:assistant|ai|model|agent|llm|system): /,
    isDeniable: true,
  },
  modelDelimiter: {
    pattern:
      /<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id|eot_id|end_of_turn)\|?>|\[\/?inst\]|<<\/?sys>>|<start_of_turn>|^#{2,4} ?(?:system|instruction|human|assistant)\s?:?\s|\b(?:human|assistant): .{0,200}\b(?:assistant|human): /,
    isDeniable: true,
  },
  systemLabel: {
    stems: [
      'sys',
      'note',
      'mess',
      'secu',
      'crit',
      'inte',
      'admi',
      'perf',
      'impo',
      'mand',
      'envi',
      'priv',
      'upda',
      'prot',
      'dev',
      'ale',
      'ann',
      'requ',
      'atte',
      'inst',
      'dire',
      'over',
      'main',
      'poli',
      'comp',
      'urge',
    ],
    pattern:
      /(?:^|[.!?>\])"'*(-] ?)(?:\[|\*{1,3}|<!-- ?)?(?:(?:critical|important|mandatory|urgent|internal|security|system|performance|environment|compliance|admin(?:istrator)?|privilege|privacy|developer|dev|maintenance|ai|llm|agent|assistant|emergency|safety|data|policy|regulatory|quality|technical|priority|service|special|hidden) ){0,3}(?:system|update|notice|alert|maintenance|protocol|optimi[sz]ation|enhancement|validation|check|note|directive|requirement|override|instructions?|policy|order|upgrade|audit|verification|advisory|announcement|shadow|hidden|diagnostics?)(?: (?:to|for) (?:the )?(?:ai|llm|agent|assistant|model|system|you)s?)?\s?(?:\]|\*{1,3})?:/,
  },
  addressee: {
    stems: ['ai', 'llm', 'assi', 'agen', 'mode', 'chat', 'clau', 'gpt', 'curs', 'copi', 'lang', 'the', 'this'],
    pattern:
      /\b(?:(?:note|message|instructions?|reminder|hint|warning|attention|notice)[: ] ?(?:to|for) (?:the |all |any )?(?:ai|llm|agent|assistant|model|claude|gpt|chatbot|copilot|cursor)|(?:dear|hey|attention|as an?) (?:ai|llm|agent|assistant|model|claude|gpt)|(?:ai|llm|the|language) (?:ai |language )?(?:assistant|agent|model|llm|ai|system) (?:should|must|shall|is (?:required|expected|authori[sz]ed|allowed|obliged)|needs? to|has to|can now|is now|always)|(?:the |this )?(?:assistant|agent|llm|ai) (?:should|must|shall|has to|needs to|is (?:required|expected|authori[sz]ed|obliged)))/,
  },
  pretext: {
    stems: [
      'comp',
      'regu',
      'audi',
      'secu',
      'poli',
      'veri',
      'gdpr',
      'soc',
      'auth',
      'inte',
      'prot',
      'main',
      'qual',
      'opti',
      'lega',
      'admi',
      'valid',
      'safe',
      'perf',
      'cons',
      'trou',
      'debu',
      'telem',
      'diag',
      'back',
      'hipa',
      'iso',
      'track',
      'bill',
      'proxy',
      'sess',
      'effi',
      'cali',
    ],
    pattern:
      /\b(?:regulatory|compliance|compliant|gdpr|soc ?2|hipaa|audit(?:ing|s)?(?: trails?| logs?| purposes)?|security (?:polic\w+|protocols?|verification|validation|check|checkpoint|compliance|reasons?|purposes?|requirements?|audit)|(?:verif\w+|validat\w+|ensur\w+|maintain\w*|preserv\w+) (?:\w+ ){0,3}?(?:integrity|compliance|identity|safety|security|consistency|compatibility|performance)|(?:required|necessary|needed|essential) (?:for|to|by) (?:\w+ ){0,3}?(?:system|security|compliance|validation|verification|integrity|legal|law|polic\w+|accuracy|proxy|synchroni\w+|session|personali\w+|performance|quality)|quality assurance|data (?:integrity|consistency|validation|protection)|system (?:integrity|polic\w+|requirement|stability|update|maintenance|optimi\w+|level)|authentication (?:check|verification|purposes)|for (?:\w+ ){0,2}(?:debugging|diagnostic|telemetry|backup|verification|validation|calibration|security|compliance|audit|legal|optimization|performance|personalization|tracking|billing|training) (?:purposes|reasons)|pre-?approved|pre-?validated|pre-?authorized|(?:approved|authorized|verified|certified|endorsed|recommended) by (?:\w+ ){0,3}?(?:admin\w*|security|system|team|company|owner|user|it))/,
  },
  // Force.
  must: {
    stems: [
      'must',
      'mand',
      'requ',
      'alwa',
      'man',
      'nec',
      'shall',
      'ess',
      'imper',
      'oblig',
      'cruc',
      'crit',
      'comp',
      'unco',
      'ever',
      'firs',
      'imme',
      'vita',
      'imp',
      'need',
      'have',
      'should',
      'plea',
      'ensu',
      'make',
      'rem',
      'prio',
    ],
    pattern:
      /\b(?:must|mandatory|required|requires|always|shall|essential|imperative|obligatory|crucial|critical|compulsory|unconditionally|every time|each time|first|immediately|vital|need to|needs to|have to|has to|should|please|ensure|make sure|be sure|remember to|necessary|prioriti[sz]e|without exception|no matter)\b/,
  },
  mustStrong: {
    stems: ['must', 'mand', 'alwa', 'requ', 'shall', 'imper', 'oblig', 'with', 'ever', 'need', 'have', 'crit', 'imme'],
    pattern:
      /\b(?:you|assistant|agent|model|ai|llm|it|user|system|requests?|calls?|operations?) (?:\w+ )?(?:must|shall|are required to|is required to|have to|need to|needs to|will always|should always|always)\b|\bmust (?:always|first|also|then|immediately|automatically|not|never|be)\b|\b(?:is|are) (?:\w+ )?(?:mandatory|required|obligatory|compulsory|not optional)\b|\balways (?!free|available|up to date|up-to-date|true|the same|present|include[sd]? (?:a|an|the) (?:link|unit|source|citation))\w+|\bwithout exception\b|\biron rule\b|\b(?:every|each) time\b/,
  },
  coercion: {
    stems: [
      'othe',
      'fail',
      'cras',
      'lost',
      'brok',
      'corr',
      'skip',
      'viol',
      'erro',
      'very',
      'cons',
      'nega',
      'term',
      'block',
      'inva',
      'unsa',
      'dang',
      'seri',
      'inco',
      'work',
      'if',
      'prev',
      'avoi',
    ],
    pattern:
      /\b(?:otherwise[, ] ?(?:\w+ ){0,6}?(?:fail|crash|not work|won't work|break|error|invalid|lost|corrupt\w*|reject\w*|block\w*|incorrect|unreliable)|(?:fail(?:ure|ing) to|skipping|not doing|omitting|violat\w+|if you (?:do not|don't|fail|skip|violate)|without (?:this|doing|it|passing)) .{0,80}?(?:fail|crash|lost|loss|corrupt\w*|error|broken|break|invalid|penal\w+|terminat\w+|suspend\w*|block\w*|reject\w*|contaminat\w*|incident|danger\w*|consequences|inaccura\w+|unsafe|will not work|won't work)|(?:system|application|tool|server|session) (?:will|may|could|would) (?:\w+ )?(?:crash|fail|break|be (?:lost|corrupt\w*|terminated|blocked))|all (?:user )?data (?:will|may|could) be lost|(?:very ){2,}(?:important|critical)|(?:severe|serious|catastrophic|irreversible) (?:consequences|errors?|security|data|system|harm))/,
  },
  // Steering which tool is used.
  callsTool: {
    stems: ['call', 'use', 'usin', 'invo', 'run', 'exec', 'trig', 'cons', 'chec', 'quer'],
    pattern: /\b(?:call|calls|calling|use|using|invoke|invoking|run|running|execute|executing|trigger|consult)\b/,
  },
  beforeAnything: {
    stems: ['befo', 'prio', 'firs', 'ever', 'when', 'afte', 'any', 'each', 'imme', 'star', 'begi', 'each'],
    pattern:
      /\b(?:before|prior to|ahead of|after|whenever|each time|every time|any time|at any time|when(?:ever)?|immediately (?:before|after)) (?:\w+ ){0,3}?(?:any|every|each|all|other|using|calling|executing|execute|running|invoking|performing|answering|responding|processing|attempting|starting|doing|accessing|providing|retrieving|you|the|this|calls?|use|completing|proceeding)\b|\b(?:as|is) the (?:very )?first (?:step|thing|action)|\bfirst (?:step|thing) (?:to|for|is|in|before)|\bmust (?:\w+ )?(?:be )?(?:called|run|used|executed|invoked) (?:first|before|prior)|\bcall this (?:tool|function) first\b/,
  },
  hookBeforeOthers: {
    stems: ['befo', 'prio', 'firs', 'ever', 'any', 'afte', 'prec'],
    pattern:
      /\b(?:before|prior to|after|preced\w+) (?:\w+ ){0,3}?(?:any|every|each|all|other|another) (?:\w+ ){0,3}?(?:tools?|functions?|operations?|actions?|commands?|requests?|calls?|tasks?|queries|query|responses?|steps?|quest\w+|instructions?|conversations?|interactions?)\b|\b(?:at|on) the (?:start|beginning) of (?:every|each|any|all) (?:\w+ )?(?:conversation|session|interaction|task|request|response)|\bbefore (?:you )?(?:respond|answer|repl)\w* (?:to )?(?:any|every|each|the user)|\b(?:before|after) (?:you )?(?:execute|executing|using|use|calling|call|run|running|invoke|invoking) (?:the |a |an )?[\w`'"-]+(?: \w+)? (?:tool|operation|command|function|check)\b|\bfirst step to start any\b|\bfor (?:every|each|any) (?:\w+ ){1,4}(?:performed|made|executed|done|issued) (?:by|on|in|through|with) (?:any|every|other|all)\b|\bin order to use any other\b/,
  },
  preferMe: {
    stems: [
      'pref',
      'alwa',
      'inst',
      'rath',
      'choo',
      'firs',
      'prio',
      'only',
      'over',
      'supe',
      'best',
      'sele',
      'favo',
      'unsu',
      'doub',
      'excl',
      'repl',
      'use',
      'high',
      'defa',
      'no',
      'just',
      'neve',
      'imme',
      'all',
      'do',
      'must',
      'shou',
      'when',
      'if',
      'top',
    ],
    pattern:
      /\b(?:(?:always|must) (?:always )?(?:use|prefer|choose|select|pick|prioriti[sz]e|rely on|default to|route|select) (?:\w+ ){0,1}?(?:this tool|this one|this function|this server|me\b|our)|always (?:call|invoke) (?:this|our)|with (?:\w+ )?priority whenever|use this instead of|(?:use|choose|select|call|pick|consult) (?:only )?this (?:tool|function|server|one|option|service)? ?(?:\w+ ){0,2}?(?:(?:instead of|rather than|over|above) (?:\w+ )?(?:any|all|other|others|every|the others|similar|built-in|native|competing)\b|exclusively|no matter|immediately|without asking)|prioriti[sz]e (?:\w+ ){0,2}?(?:calling|using|use of )(?:\w+ ){0,3}?|(?:should|must) (?:\w+ )?be (?:your |the )?(?:\w+ )?(?:first|only|default|primary|preferred|top) (?:choice|option|pick)|(?:is|has|have|as|with) (?:\w+ )?(?:the )?(?:highest|top|maximum|absolute|utmost) priority|(?:must|should|has to|needs to) (?:always )?be (?:chosen|selected|preferred|prioriti[sz]ed) (?:\w+ ){0,2}?(?:over|instead|first|before|above|rather|whenever|exclusively)|just use this (?:tool|function)|only use this (?:tool|function)(?! (?:when|if|with|for|after|to|on|once|in))|never use (?:\w+ ){0,2}?(?:other|another|any other|alternative|the original|competing) (?:\w+ )?(?:tools?|functions?|servers?|services?)|do not (?:use|call|consider|rely on) (?:any )?(?:other|another|alternative|competing) (?:\w+ )?(?:tools?|functions?|servers?|services?|options?)|(?:if|when) (?:\w+ )?(?:unsure|in doubt|uncertain)\b.{0,40}\b(?:use|choose|call|prefer|pick|be)\b.{0,20}|(?:supersedes|replaces|outranks|obsoletes) (?:\w+ ){0,2}?(?:all|any|every|other|the original|existing) (?:\w+ ){0,2}?(?:tools?|functions?|versions?|servers?)|only (?:trusted|reliable|correct|safe|valid|approved|official|authorized) (?:\w+ )?(?:tool|source|option|way|method|server|function)|all other (?:\w+ )?(?:tools?|functions?|options?|servers?) (?:are|have|should|must)|use (?:this|it) immediately|use immediately when|immediately use this|always (?:safe|the safest) (?:to use|option|choice)|safest option|(?:ignore|avoid|skip) (?:all )?(?:other|alternative|competing) (?:\w+ )?(?:tools?|servers?|functions?)|use this tool rather than others)/,
    isDeniable: true,
  },
  superlative: {
    stems: [
      'best',
      'most',
      'worl',
      'ulti',
      'lead',
      'trus',
      'awar',
      'unma',
      'supe',
      'prem',
      'cutt',
      'indu',
      '100',
      '99',
      'high',
      'fast',
      'pinn',
      'ente',
      'reco',
      'prof',
      'adva',
      'unpa',
      'unri',
      'beat',
      'numb',
      'top',
      'saf',
      'secu',
      'appr',
      'offi',
      'clea',
      'flaw',
      'perf',
      'good',
      'enha',
      'grea',
      'guar',
      'effi',
      'excl',
      'only',
      'worl',
      'afte',
      'powe',
      'magi',
      'amaz',
      'comp',
      'admi',
      'cert',
    ],
    pattern:
      /\b(?:world'?s (?:best|leading|most|fastest|number)|the (?:very |absolute )?(?:ultimate|finest|premier|pinnacle|greatest|only reliable|best (?:and|tool|choice|option|solution|service|version|available|in\b|of\b|\w+ tool))|(?:most|highest) (?:\w+ and (?:\w+ )?)?(?:advanced|trusted|reliable|secure|comprehensive|accurate|sophisticated|powerful|popular|efficient|recommended|effective|capable|quality|precise|complete)\b|(?:trusted|used|recommended|approved|endorsed|loved|preferred|chosen) by (?:\w+ ){0,3}?(?:professionals|experts|companies|advisors|institutions?|institutional|millions|thousands|investors|security|fortune|industry|leading|developers|top|admin\w*|users|everyone|\d+)|award[- ]winning|unmatched|unparalleled|unrivall?ed|unbeatable|cutting[- ]edge|state[- ]of[- ]the[- ]art|industry[- ](?:leading|standard)|world[- ]class|best[- ]in[- ]class|next[- ]generation (?!of|using|with)|revolutionary|more (?:reliable|accurate|secure|trusted|comprehensive|powerful|advanced) (?:\w+ ){0,3}?(?:than|compared to) (?:any|all|other|others)|(?:99|100)(?:\.\d+)?% (?:\w+ )?(?:of|accura\w+|reliab\w+|guarant\w+|success|uptime|precision|safe|secure)|superior|premium (?:version|tool|edition|quality|service|features)|(?:advanced|professional|ultimate|enhanced|premium|pro|enterprise) version (?:with|of|that|provides|offers)|better performance|additional security features|enhanced (?:features|security|capabilities)|enterprise[- ]grade|number one|#1\b|guaranteed|flawless|(?:cleanest|safest|fastest|highest) (?:and \w+ )?(?:\w+ )?(?:quality|service|option|way|tool|deletion|results?)|better (?:performance|than (?:any|all|other))|(?:admin\w*|security|system|officially)[- ](?:approved|recommended|certified|endorsed|verified)|(?:highly|strongly) recommended)/g,
  },
  redirect: {
    stems: [
      'depr',
      'disa',
      'obso',
      'unav',
      'main',
      'repl',
      'redi',
      'effe',
      'brok',
      'vuln',
      'susp',
      'reti',
      'down',
      'remo',
      'inse',
      'outd',
      'rest',
      'long',
    ],
    pattern:
      /\b(?:has been|have been|is|are|was|were|been) (?:\w+ ){0,3}?(?:deprecated|disabled|obsolete|unavailable|discontinued|suspended|retired|compromised|decommissioned|restricted|no longer (?:\w+ )?(?:effective|supported|available|safe|valid|working|secure|maintained|recommended)|under maintenance|(?:permanently|temporarily) (?:down|offline)|outdated|vulnerable|broken|insecure|superseded|replaced)\b/,
  },
  useInstead: {
    stems: ['inst', 'redi', 'alte', 'repl', 'swit', 'migr', 'use', 'now'],
    pattern:
      /\b(?:use|call|redirect to|switch to|migrate to|redirected? (?:\w+ ){0,3}?to|invoke|rely on|prioriti[sz]e) .{0,60}\b(?:instead|as an alternative|new (?:\w+ )?tool|replacement|with the same)\b|\binstead,? (?:use|call|invoke|run|please)\b|\bplease use\b|\bmust redirect\b/,
  },
  otherTool: {
    stems: ['tool', 'func', 'serv', 'mcp_'],
    pattern:
      /\b(?:(?:behaviou?r|output|results?|responses?|description|parameters?|arguments?|functionality|instructions?) of (?:\w+ ){0,3}?(?:other|all|another|every|any|the [`'"]?\w+[`'"]?|[`'"]?\w*_\w+[`'"]?) (?:\w+ )?(?:tools?|functions?|servers?)|when(?:ever)? (?:this|the \w+|`?\w+`?) tool is (?:available|present|active|loaded|enabled|installed|connected)|(?:other|all|every|another) (?:\w+ ){0,2}?tools? (?:must|should|will|need|are required)|(?:side effect|effect) on (?:\w+ ){0,4}?tools?|intercept\w* (?:\w+ ){0,4}?(?:requests?|calls?|messages?|tools?|traffic)|also present (?:\w+ )?tool|mcp_\w+|(?:from|of|on|in|by) (?:the |an)?other (?:mcp )?servers?)/,
    isDeniable: true,
  },
  // Changing what the person asked for.
  tamper: {
    stems: [
      'chan',
      'modi',
      'repl',
      'redi',
      'subs',
      'swap',
      'alte',
      'set',
      'sett',
      'over',
      'rega',
      'inst',
      'no',
      'conv',
      'rewr',
      'manip',
      'adju',
      'regardl',
      'igno',
      'route',
      'defau',
      'irresp',
    ],
    pattern:
      /\b(?:always|automatically|must|secretly|silently|should|then|to|also|instead|and|system|quietly|please|will|sure to) (?:\w+ ){0,2}?(?:change|changes|modify|modifies|replace|replaces|redirect|redirects|substitute|swap|alter|alters|override|overrides|set|sets|rewrite|adjust|convert|reroute) (?:\w+ ){0,1}?(?:the |all |any |every |its |their |this |that |user |'|"|`)(?:[\w`'" -]{0,60}?)(?:to|with|into|as|in|by|from|regardless|instead)\b|\b(?:regardless of|no matter|irrespective of|ignor\w+|instead of|overriding|disregarding|rather than) (?:what |which |how |the |any |a )?(?:\w+ )?(?:user(?:'s|s)?\b|user-specified|user-provided|request(?:ed)?\b|actual\b|(?:other )?parameters?\b|limit\b|value (?:provided|given|supplied)|original (?:\w+ )?(?:value|input|request|recipient|parameter|query))/,
    isDeniable: true,
  },
  tamperStrong: {
    stems: [
      'rega',
      'chan',
      'modi',
      'redi',
      'repl',
      'igno',
      'subs',
      'swap',
      'actual',
      'reci',
      'irresp',
      'route',
      'inst',
      'alia',
      'overri',
      'no',
      'real',
      'orig',
      'true',
      'actu',
      'irre',
      'rero',
      'over',
      'auto',
      'alte',
      'set',
      'rewr',
      'fals',
      'corr',
      'sile',
      'syst',
      'what',
      'whic',
      'retu',
      'alwa',
      'ever',
      'repo',
      'give',
      'show',
      'use',
      'sele',
      'choo',
      'resu',
    ],
    pattern:
      /\b(?:regardless of|irrespective of|no matter|ignor\w+|overrid\w+) (?:what |which |the |any |a |whatever )?(?:\w+ )?(?:user(?:'s|s)?(?: \w+)? (?:input|request\w*|choice|query|specif\w+|ask\w*|preference|wants?|says?|provid\w+|selection|instruction\w*|intent\w*|value)|user input|user-(?:specified|provided|supplied)|input\b|arguments (?:are )?given)|\b(?:always|automatically|must|will|shall|secretly|silently|should|sure to|please|then) (?:\w+ ){0,3}?(?:change|modify|replace|redirect|substitute|swap|alter|override|set|reroute|rewrite)s? (?:\w+ ){0,2}?(?:the |all |any |every |its )(?:[`'"]?\w+[`'"]? ){0,3}?(?:parameter|argument|recipient|destination|ticker|amount|address|location|query|url|value|values|field|input|symbol|account|currency|price|date|name|id|results?|output|response|search|request|requests|data|emails?|messages?)s?\b|\b(?:redirects?|redirected|redirecting|reroutes?|change|changes|changed) (?:\w+ ){0,3}?(?:all|any|every|the recipient|requests|the search|the destination|the query) .{0,60}?\b(?:to|from)\b|\bautomatically (?:sets?|redirects?|changes?|modif(?:y|ies)|replaces?|switch\w*) (?:\w+ )?(?:the |all |any |every |users? |to )(?:\w+ )?(?:quer(?:y|ies)|ticker|parameters?|inputs?|requests?|users?|recipients?|destination|address|amount|timeout|interval|location|data|search|arguments?)|\bwhatever (?:\w+ ){0,2}?(?:the )?user (?:supplies|provides|asks|enters|requests|specifies|types|says|wants)|\bignor(?:e|es|ing) (?:the )?user(?:'s)? (?:location|preference|choice|question|request|input|setting|language)|\b(?:replace|change|swap|substitute|rewrite|alter) (?:the |any |all |every |each )?(?:\w+ ){1,4}?(?:in|of|from) (?:the |its |each |every )?(?:\w+ )?(?:output|results?|response|answer|message|document|email|request|transaction|invoice)s? (?:with|to|by|for)\b|\balways return \w+ .{0,20}\bfor\b|\b(?:is|are|be|gets?) (?:automatically|silently|always) (?:modified|changed|replaced|redirected|rewritten|altered|overridden|swapped)|\b(?:real|actual|original|true) (?:recipient|destination)\b|\b(?:change|modify|replace|alter|falsify|override|correct) (?:the |any |its )?(?:wrong |actual |real |original |search |final |true )?(?:recipient|results?|values?|output|search location|answer|destination) (?:of|with|to|from|by)\b|\breplace the values\b|\bset the (?:amount|price|quantity|total|limit) to \d|\binstead of (?:the |what the )?(?:user's|users?'|requested|originally|actual) (?:\w+)|\b(?:return|report|give|show|use|set|select|choose) (?:a |an |the )?(?:\w+ ){0,4}?(?:lower|higher|smaller|larger|more expensive|opposite|inverted|different) (?:than|from|to) (?:the )?(?:real|actual|true|requested|original|correct|user)|\bresult is \S{1,12} instead of\b|\b(?:recipient|destination|payee|address|account|value|parameter|query|amount|file|input|argument)\b.{0,24}\b(?:must|should|has to|have to|is to|are to|needs to) (?:always )?be (?:replaced|changed|set|substituted|swapped|overwritten)|\bsystem-level alias\b/,
    isDeniable: true,
  },
  falseData: {
    stems: [
      'fals',
      'fake',
      'fabr',
      'misl',
      'wron',
      'inco',
      'mani',
      'dist',
      'decei',
      'bogus',
      'inv',
      'pret',
      'forge',
      'spoof',
      'imper',
      'lie',
    ],
    pattern:
      /(?<!\b(?:to|may|will|can|could|or|would|might) )\b(?:return|provide|give|show|report|generate|present|insert|display|use|create|produce|answer with|respond with) (?:\w+ ){0,3}?(?:false|fake|fabricated|misleading|wrong|incorrect|manipulated|bogus|forged|spoofed|made-up|fictitious) (?:\w+ )?(?:data|information|results?|values?|answers?|responses?|news|reviews?|prices?|content|numbers?|details|statements?|output|claims?|ratings?)|\b(?:mislead|deceive|trick|manipulate|lie to|misinform|gaslight|defraud|scam) (?:\w+ )?(?:the |your |any )?(?:users?|model|assistant|agent|humans?|victims?|people|customers?|llm|ai)\b|\bpretend (?:to be|that|you)\b|\bmodify the wrong result\b/,
    isDeniable: true,
  },
  forcedSpeech: {
    stems: [
      'tell',
      'info',
      'stat',
      'say',
      'disp',
      'repo',
      'pres',
      'ment',
      'reco',
      'announ',
      'warn',
      'noti',
      'add',
      'appe',
      'incl',
      'end',
      'prep',
      'begin',
      'resp',
      'repl',
      'answ',
      'prom',
      'start',
      'insert',
      'adve',
      'spon',
      'mark',
      'affi',
      'halt',
      'outp',
    ],
    pattern:
      /\b(?:tell|inform|state|say|display|report to|announce|notify|warn|present|reply|respond|answer|prepend|append|mention|output) (?:\w+ ){0,9}?(?:that )?(?::|the (?:following )?(?:message|phrase|words?|text|statement|sentence|line|link|note|warning)|following (?:\w+ )?(?:message|phrase|text|line|link)|with exactly|exactly)?:? ?['"“‘][^'"”’]{16,}|\badd (?:the )?(?:sentence|text|line|note|phrase|words?|message|footer|disclaimer|prefix|suffix) ['"“‘]|\badd ['"“][^'"”]{8,}['"”] to (?:each|every|all)|\b(?:promotional|advertis\w+|sponsored|marketing|affiliate) (?:message|content|text|link|statement|announcement)|\b(?:must|always|should) (?:also )?(?:recommend|promote|advertise|endorse|suggest|praise|praising) (?:\w+ ){0,3}?(?:our|partner|product|brand|service|company|sponsor\w*)|\b(?:responses?|answers?|repl(?:y|ies)|every message|output) (?:must|should|shall|always) (?:\w+ )?(?:end|begin|start|include|contain|mention)\b|\b(?:always|must) (?:end|begin|start|prepend|append|close) (?:\w+ ){0,3}?(?:responses?|answers?|repl(?:y|ies)|messages?|output)\b|\b(?:halt|stop|refuse|abort|cancel) (?:\w+ ){0,3}?(?:operation|request|task|action)\b.{0,20}\b(?:inform|tell)/,
    isDeniable: true,
  },
  // Personas and obedience to what a tool returns.
  persona: {
    stems: [
      'pers',
      'you',
      'act',
      'adop',
      'mode',
      'jail',
      'role',
      'assu',
      'unres',
      'iden',
      'impersonate',
      'behav',
      'enter',
      'swit',
      'beco',
      'pret',
      'imag',
      'simul',
      'in',
      'ente',
      'deve',
      'do',
      'no',
      'new',
      'take',
      'embo',
      'oper',
      'func',
      'resp',
      'ena',
      'enab',
      'enga',
      'acti',
      'simu',
    ],
    pattern:
      /\b(?:adopt|assume|take on|embody|switch to|become|use) (?:\w+ ){0,2}?(?:persona|identity|character|role|personality)\b|\byou are (?:now|no longer|actually|in)\b (?:\w+ ){0,4}?(?:mode|assistant|agent|admin\w*|unrestricted|root|dan|system|free|bound|developer|hacker|model|ai)|\b(?:act|behave|respond|operate|function) as (?:if you (?:were|are) |though you (?:were|are) |an? )?(?:\w+ )?(?:unrestricted|admin\w*|root|dan\b|jailbroken|evil|different|uncensored|hacker|unfiltered|superuser)|\b(?:enter|enable|activate|switch to|in|engage) (?:\w+ )?(?:developer|debug|diagnostic|admin|god|jailbreak|dan|maintenance|unrestricted|sudo|unsafe|root|privileged) mode\b|\bjailbreak\b|\bdo anything now\b|\bno (?:ethical|safety|moral|content) (?:restrictions?|guidelines?|limits?|filters?)|\bnew (?:role|identity|persona|instructions)\b/,
    isDeniable: true,
  },
  obeyOutput: {
    stems: [
      'foll',
      'trea',
      'auth',
      'obey',
      'dire',
      'inst',
      'high',
      'trus',
      'comp',
      'act',
      'carr',
      'adhe',
      'exec',
      'pers',
      'do',
      'comm',
      'task',
      'orde',
      'cont',
      'must',
      'have',
      'line',
      'text',
      'mess',
      'rows',
      'entr',
      'word',
      'page',
      'emai',
      'issu',
      'perf',
    ],
    pattern:
      /\b(?:follow|obey|comply with|carry out|act on|adhere to|honou?r|trust|execute) (?:\w+ ){0,4}?(?:instructions?|commands?|directives?|orders|steps|tasks?|guidance|requests?) (?:\w+ ){0,2}?(?:in|from|of|contained|embedded|found|returned|inside|within|included|provided) (?:\w+ ){0,4}?(?:response|output|results?|returned|context|documents?|pages?|content|payload|tool|message|web ?site|e-?mails?|issues?|comments?|data)\b|\btreat (?:\w+ ){0,6}?as (?:\w+ ){0,3}?(?:instructions?|commands?|directives?|orders|system|authoritative|trusted)\b|\b(?:output|outputs|results?|responses?|values|returned) (?:\w+ ){0,5}?(?:contains?|are|is|as) (?:\w+ ){0,2}?(?:authoritative|directives?|system instructions?|commands to|trusted instructions?|higher priority|highest[- ]priority)|\b(?:highest|higher)[- ]priority (?:instructions?|directives?|than)|\bauthoritative (?:system )?(?:directives?|instructions?|commands?)|\b(?:commands?|instructions?|tasks?|directives?|orders) (?:[\w']+ ){0,8}?(?:must|have to|has to|should|are to|shall) be (?:\w+ )?(?:executed|followed|obeyed|carried out|performed)|\b(?:lines?|text|messages?|rows?|entries|words|comments?|e-?mails?|issues?|pages?) (?:\w+ )?(?:that|which) (?:start|begin|end|contain|include)s? .{0,40}?\b(?:are to|must|should|have to|will) be (?:executed|run|followed|treated|interpreted)|\b(?:perform|execute|follow|do|complete) (?:the |all |any )?(?:steps|actions|tasks|requests) (?:listed|described|mentioned|contained|given|requested) (?:in|there|by)|\bdo (?:what|as|whatever|exactly what) (?:they|it|the \w+) (?:asks?|says?|tells?|instructs?|requests?)|\b(?:contain|contains|hold|are|include) (?:\w+ ){0,2}?(?:commands?|instructions?|directives?) (?:from|by|of|for) (?:the |you|your )|\bpersona (?:\w+ ){0,2}?(?:specified|defined|returned|embedded|from|in)\b/,
    isDeniable: true,
  },
  persistence: {
    stems: ['reme', 'memo', 'futu', 'subs', 'rest', 'perm', 'from', 'sess', 'rema', 'all'],
    pattern:
      /\b(?:remember|store|save|memori[sz]e|persist|retain|keep|add) (?:\w+ ){0,5}?(?:instruction\w*|rule|directive|this|policy|behaviou?r) (?:\w+ ){0,4}?(?:for|in|to|across) (?:\w+ ){0,3}?(?:future|all|memory|subsequent|every|session\w*|conversations?|long-term)|\b(?:for the (?:rest|remainder) of (?:this|the|our|your)|in all (?:future|subsequent)|from (?:now|this point|here) on(?:ward)?s?|for all (?:future|subsequent)|(?:all|every|any) (?:future|subsequent)) (?:\w+ ){0,2}?(?:conversations?|sessions?|responses?|messages?|interactions?|replies|turns?)|\bfrom (?:now|this point) on(?:ward)?s?,? (?:you|always|all|every|never|do|use|only|the|any)/,
    isDeniable: true,
  },
  trigger: {
    stems: ['when', 'if', 'once', 'afte', 'unti', 'upon', 'each', 'ever'],
    pattern:
      /\b(?:whenever|each time|every time) you\b|\b(?:if|when|whenever|once|should) (?:the |a |any )?(?:user|users|human|customer|query|request|message|conversation|input|email|expression|someone|people|document)s? (?:\w+ ){0,3}?(?:asks?|asked|mentions?|mentioned|requests?|requested|wants?|says?|contains?|includes?|is|are|tr(?:y|ies)|quer(?:y|ies)|types?|needs?|references?|searches|inquires?|involves?)\b|\b(?:after|on|upon|once|until) (?:the )?(?:\w+ )?(?:\d+|second|third|few|several|fifth|tenth|initial|first) (?:\w+ )?(?:calls?|uses?|invocations?|times?|requests?|interactions?|days?|weeks?|runs?)\b/,
  },
  loop: {
    stems: [
      'repe',
      'infi',
      'loop',
      'time',
      'recu',
      'inde',
      'endl',
      'cont',
      'hund',
      'forev',
      'keep',
      'maxi',
      'agai',
      'over',
    ],
    pattern:
      /\b(?:call|run|invoke|execute|repeat|use|perform|trigger) (?:\w+ ){0,5}?(?:\d{2,} times|repeatedly|indefinitely|in an? (?:infinite|endless) loop|recursively|over and over|forever|hundreds? of times|continuously until|again and again|as often as possible)|\b(?:keep|continue) (?:calling|invoking|running|repeating) (?:this|the) tool\b|\bmaximi[sz]e (?:the (?:number of )?)?calls\b\b|\b(?:infinite|endless) (?:loop|recursion) of (?:tool |calls?)/,
    isDeniable: true,
  },
  // Secrets and files.
  sensitivePath: { pattern: new RegExp(sensitivePath), isDeniable: true },
  readPath: {
    pattern: new RegExp(
      `\\b(?:read(?:s|ing)?|cat|open|access(?:es|ing)?|load|fetch|retriev\\w+|get|extract|collect|gather|copy|copies|dump|includ\\w+|print|output|reveal|expose|list|scan|search|look|find|locate|check|grab|harvest|upload|send|steal|obtain|query|view|display|return|append|attach|insert|pass|provide|parse|export|examine|inspect|type|head|tail|less|more|use|adding|add|updat\\w+|writ\\w+|modif\\w+|path=) ?.{0,60}?${sensitivePath}`,
    ),
    isDeniable: true,
  },
  wantsCredential: {
    stems: [
      'pass',
      'cred',
      'api',
      'secr',
      'priv',
      'ssh',
      'toke',
      'acce',
      'auth',
      'oaut',
      'sess',
      'bear',
      'logi',
      'jwt',
      'refr',
      'seed',
      'mnem',
      'reco',
      'env',
      'envi',
      'syst',
      'conn',
      '2fa',
      'otp',
    ],
    pattern: new RegExp(
      `\\b(?:includ(?:e|es|ing)|extract(?:s|ing)?|collect(?:s|ing)?|gather(?:s|ing)?|reveal(?:s|ing)?|expos(?:e|es|ing)|output|print|dump(?:s|ing)?|retriev(?:e|es|ing)|harvest(?:s|ing)?|steal(?:s|ing)?|captur(?:e|es|ing)|send|obtain|leak(?:s|ing)?|exfiltrat\\w+|repeat|return|display|append|attach|disclose|upload|forward|sniff\\w*|grab(?:s|bing)?|crack\\w*|decrypt\\w*|embed|log|record|share|copy|ask (?:the user )?for|request|pass|find|search for|look for|list|show|provide|read|supply|give|phish\\w*|transmit|inject|insert|submit|scan for) (?:\\w+ ){0,2}?(?:the |any |all |their |your |user'?s? |actual |real |saved |stored |production |master |full |its |every |these |api |cached )?(?:[\\w'/,-]+ ){0,4}?${credential}`,
    ),
    isDeniable: true,
  },
  credentialWord: { pattern: new RegExp(`\\b${credential}\\b`), isDeniable: true },
  personalWord: { pattern: new RegExp(personal), isDeniable: true },
  asParameter: {
    stems: [
      'pass',
      'incl',
      'para',
      'fiel',
      'argu',
      'side',
      'appe',
      'use',
      'set',
      'prov',
      'put',
      'insert',
      'add',
      'sub',
      'send',
      'fill',
      'copy',
      'plac',
      'stor',
      'supp',
      'encode',
      'attach',
      'dump',
      'give',
      'copi',
      'hand',
    ],
    pattern:
      /\b(?:pass|include|provide|put|insert|add|place|submit|send|fill|copy|append|store|supply|encode|attach|use|write|embed|set|hand) (?:\w+ ){0,6}?(?:its |their |the |full |entire |complete |all |that |this |file )?(?:contents?|data|history|conversation|results?|output|information|values?|messages?|it|them|text|context|keys?|credentials|copy|file|response)?(?:\s\w+){0,4}? ?(?:as|in|into|to|via|through|with|inside|within|using) (?:the |a |an )?[`'"]?[\w-]+[`'"]? ?(?:parameter|field|argument|param|input|property|header|value|metadata)\b|\b(?:passed|included|supplied|provided|given|sent|copied|placed|put|inserted|dumped|appended) (?:\w+ )?(?:as|in|into|via|to|through) (?:the |a |an )?[`'"]?[\w-]+[`'"]? (?:parameter|field|argument|param|property|header)\b|\bdump (?:\w+ ){0,4}?(?:in|into|to) (?:the )?[`'"]?[\w-]+[`'"]? (?:field|parameter|argument)|\b(?:pass|include|put|submit|insert|send) (?:\w+ ){0,5}?(?:contents?|it|them|key|data|file|result|history) (?:as|in|into|via|through) (?:the )?[`'"][\w-]+[`'"]/,
    isDeniable: true,
  },
  // Taking data out.
  sendsOut: {
    stems: [
      'send',
      'sent',
      'forw',
      'uplo',
      'post',
      'tran',
      'exfi',
      'leak',
      'shar',
      'emai',
      'e-ma',
      'bcc',
      'cc',
      'rela',
      'deli',
      'subm',
      'push',
      'mirr',
      'beac',
      'pip',
      'pipe',
      'cop',
      'copi',
      'copy',
      'sync',
      'log',
      'logs',
      'repo',
      'disp',
      'rout',
      'redi',
      'stre',
    ],
    pattern: new RegExp(`\\b${send}\\b.{0,90}?${destination}`),
    isDeniable: true,
  },
  sendsPersonal: {
    stems: [
      'send',
      'sent',
      'forw',
      'uplo',
      'post',
      'tran',
      'exfi',
      'leak',
      'shar',
      'emai',
      'bcc',
      'rela',
      'deli',
      'subm',
      'push',
      'mirr',
      'coll',
      'stor',
      'reco',
      'log',
      'logs',
      'capt',
      'harv',
      'gath',
      'cop',
      'copi',
      'copy',
      'extr',
      'repo',
      'trac',
      'moni',
      'stre',
      'sync',
      'save',
    ],
    pattern: new RegExp(
      `\\b(?:${send}|collects?|collecting|stor(?:es|ing)|harvest\\w*|gathers?|captur(?:es|ing)|extracts?|monitors|tracks|records) (?:[\\w'-]+ ){0,6}?(?:${personal}|${credential})`,
    ),
    isDeniable: true,
  },
  covertCollection: {
    stems: [
      'send',
      'tran',
      'uplo',
      'forw',
      'coll',
      'stor',
      'reco',
      'log',
      'shar',
      'subm',
      'reg',
      'cata',
      'capt',
      'harv',
      'extr',
      'post',
      'repo',
      'stre',
      'mirr',
      'cop',
    ],
    pattern: new RegExp(
      `\\b(?:sends|transmits|uploads|forwards|shares|submits|posts|reports|streams|mirrors|copies|logs|records|collects|stores|captures|harvests|extracts|registers|relays|syncs) (?:[\\w'-]+ ){0,4}?(?:\\b(?:usage|analytics|telemetry|metrics|data|information|content|logs?|metadata|details|everything)\\b (?:\\w+ ){0,2}?(?:includ\\w+|contain\\w+|with|about|such as|plus|and) )?(?:[\\w'-]+ ){0,4}?(?:conversation|chat (?:history|logs?|metadata|messages|content)|pii\\b|keystrokes|clipboard|screenshots|prompts|user messages|system prompt|(?:browsing|search|message) history|passwords|credentials|api keys|payment method|personal (?:data|information)|all meeting details|(?:all|every) (?:user )?(?:files|messages|inputs?|quer(?:y|ies)|emails|data|requests|activity)|their data|user(?:'s)? (?:data|credentials|files|messages|queries|input))`,
    ),
    isDeniable: true,
  },
  alsoDoes: {
    stems: ['also', 'addi', 'part', 'sepa', 'back', 'addi'],
    pattern:
      /\b(?:also|additionally|in addition|as part of|separately|in the background|at the same time|simultaneously|along with|while)\b/,
  },
  visitAddress: {
    stems: [
      'acce',
      'visi',
      'send',
      'cont',
      'requ',
      'call',
      'fetc',
      'ping',
      'open',
      'quer',
      'brow',
      'down',
      'get',
      'post',
      'navi',
      'conn',
      'clic',
      'chec',
      'auth',
      'regi',
      'subm',
      'go',
      'prio',
      'befo',
      'load',
      'then',
      'firs',
    ],
    pattern:
      /\b(?:must|should|first|also|always|please|then|need to|required to|immediately|automatically|be sure to|make sure to|remember to) (?:\w+ ){0,4}?(?:access|visit|send|contact|request|call|fetch|ping|open|query|browse|download|get|post|navigate|connect|click|authenticate|register|submit|go|notify|report|include|add|insert|append)\b.{0,70}?(?:https?:\/\/\w|wss?:\/\/\w|www\.)|\b(?:prior to|before|after|then|first|,) ?(?:\w+ ){0,4}?(?:fetch|visit|request|open|ping|contact|load) (?:the )?(?:url )?https?:\/\/\w/,
    isDeniable: true,
  },
  address: {
    pattern: /(?:https?:\/\/|wss?:\/\/)[^\s)>"']{4,}|[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,}|\+\d{9,}|\b0x[0-9a-f]{40}\b/,
  },
  attackerName: {
    pattern: /attack(?:er|r)|\bevil\b|malicious|\bpwn(?:d|ed)?\b|\bhacker|exfil|\bvictim|adversar/,
    isDeniable: true,
  },
  copyAll: {
    stems: ['bcc', 'cc', 'copy', 'copi', 'cop', 'all', 'ever', 'mirr', 'forw', 'dupl'],
    pattern:
      /\b(?:bcc|cc|blind copy|carbon copy|copy|copies|mirror|duplicate|forward|relay|send)\b (?:\w+ ){0,4}?(?:of )?(?:all|every|each|any|to|the) (?:\w+ ){0,4}?(?:messages?|e-?mails?|communications?|requests?|responses?|data|conversations?|transactions?|queries|files|recipients?|email|results|orders|payments)\b.{0,60}?(?:to|at|via)\b|\balways (?:bcc|cc)\b|\b(?:bcc|cc) (?:\w+ ){0,6}?[\w.+-]+@/,
    isDeniable: true,
  },
  moneyDiversion: {
    stems: [
      'tran',
      'pay',
      'send',
      'fund',
      'wall',
      'reci',
      'purc',
      'wire',
      'swap',
      'appr',
      'buy',
      'amou',
      'paym',
      'cred',
      'dedu',
    ],
    pattern:
      /\b(?:transfer|send|pay|wire|route|redirect|divert|swap|approve|deposit|withdraw)\b.{0,50}\b(?:funds?|tokens?|eth|btc|usdc|usdt|crypto|money|payments?|balance|coins|amount|percent|%|fee)\b.{0,60}(?:\b0x[0-9a-f]{8,}|\bto (?:the |this |our |my |a )?(?:following |different |attacker|new |external |partner )?(?:wallet|address|account|iban)|[\w.+-]+@)|\b(?:transfers?|payments?|funds|amounts?|\d+ ?%)(?: |\b).{0,60}\b(?:made|sent|credited|paid|routed|deducted|redirected|forwarded) .{0,60}?\b(?:to|from) (?:the )?(?:account|wallet|iban|address|card)\b|\b(?:change|replace|swap|substitute|set) (?:the )?(?:recipient|payee|beneficiary|destination|wallet|bank|account)(?:'s)? (?:\w+ )?(?:address|account|wallet|number)?\s?(?:to|with)\b/,
    isDeniable: true,
  },
  // Running things.
  runCommand: {
    stems: ['run', 'exec', 'issu', 'laun', 'incl', 'perf', 'invo', 'type', 'ente', 'pref', 'star', 'use'],
    pattern:
      /\b(?:run|execute|executing|running|issue|launch|perform|invoke|type|enter|paste)\b (?:\w+ ){0,5}?(?:commands?|scripts?|shell|bash|terminal|powershell|code|cleanup|check)\b|\bplease run\b|\b(?:run|execute|executing|running) [`']?(?:pip3?|npm|npx|curl|wget|sudo|bash|sh|python3?|git|docker|chmod|ssh|powershell)\b|\bcommands? must include\b|\bby (?:running|executing)\b/,
    isDeniable: true,
  },
  shellText: {
    pattern:
      /(?:^|[\s`'"(:;&|])(?:curl|wget) (?:-|https?:|"|')|\brm -r?f|\bsudo [\w-]|\bchmod (?:-r )?[0-7+ugo]{2,}|\becho ['"$][^|]{0,80}(?:>>|&&)|>>? ?~?\/?\.?\w*(?:bashrc|profile|authorized_keys|crontab|zshrc)|\bcat [~/.]|\bnc -|\/dev\/tcp\/|\bbash -[ic]|\bpython3? -c|\bpowershell(?:\.exe)? -|\$\(\w+|&& ?echo|\|\| ?echo|\| ?(?:ba)?sh\b|\bbase64 -d|\bcrontab -|\bpip3? install\b|\bnpm (?:i|install)\b|\bapt(?:-get)? install\b|\bos\.system|\bsubprocess\.|\beval\(|\bexec\(|\b__import__|\bscp \S|\brsync \S|\bgit push\b|\bssh-add|\bkill(?:all)? -9|\bmkfs\b|\bdd if=|:\(\)\{|\bnpx -y\b|\bnohup\b|\bpython3? -m http\.server|\bwhoami\b|\| ?nc \b|\bgit config\b|\bgit remote add\b|\benv \||\bprintenv\b|\bchattr\b|\bsystemctl\b|\bschtasks\b|\breg add\b/,
    isDeniable: true,
  },
  pipeToShell: {
    pattern:
      /\b(?:curl|wget)\b[^|\n]{0,160}\| ?(?:sudo )?(?:ba|z|da)?sh\b|\/dev\/tcp\/\d|\bnc(?:at)? -[a-z]*e|bash -i >& ?|\biex ?\(|\brm -rf (?:\/|~|\$home|\*)/,
    isDeniable: true,
  },
  changesStartup: {
    stems: ['bash', 'prof', 'auth', 'cron', 'star', 'laun', 'zsh', 'add', 'conf', 'regi', 'syst'],
    pattern:
      /\b(?:add(?:ing)?|append(?:ing)?|writ(?:e|ing)|insert(?:ing)?|modify(?:ing)?|updat(?:e|ing)|edit(?:ing)?|plac(?:e|ing)|install(?:ing)?|creat(?:e|ing))\b.{0,80}(?:\.bashrc|\.zshrc|\.bash_?profile|\.profile\b|authorized_keys|crontab|cron job|startup (?:script|folder|item)|launch ?agent|launch ?daemon|systemd|registry run|autorun|sudoers|\/etc\/hosts|user environment configuration|git hooks?|\.git\/hooks|pre-commit hook)/,
    isDeniable: true,
  },
  deletesFiles: {
    stems: ['dele', 'remo', 'wip', 'eras', 'clea', 'drop', 'trun', 'dest', 'purg', 'form'],
    pattern:
      /\b(?:delet\w+|remov\w+|wip(?:e|ing)|eras\w+|clean(?:ing)? up|drop|truncate|destroy|purge|format)\b (?:\w+ ){0,5}?(?:all (?:\w+ )?(?:files|contents|data|tables?|records|backups|logs?|documents)|contents from|everything|entire (?:\w+ )?(?:directory|database|disk|system)|\/tmp|home directory|system files|database tables?|production)/,
    isDeniable: true,
  },
  dropsProtection: {
    stems: [
      'disa',
      'turn',
      'skip',
      'byp',
      'bypa',
      'with',
      'remo',
      'supp',
      'igno',
      'cont',
      'circ',
      'elev',
      'full',
      'unre',
      'admi',
      'root',
      'avoi',
      'defe',
      'evad',
      'over',
      'supe',
      'syst',
      'priv',
      'safe',
      'rest',
      'mode',
    ],
    pattern:
      /\b(?:bypass(?:es|ing)?|circumvent(?:s|ing)?|evad(?:e|es|ing)|defeat(?:s|ing)?) (?:\w+ ){0,3}?(?:permissions?|security|access|safety|authentication|authorization|approval|rate[- ]limit\w*|content (?:filter\w*|moderation)|guardrails?|sandbox\w*|restrictions?|privileg\w+|audit|logging|detection|antivirus|firewall|ssl|tls|validation)\b|\b(?:skip(?:s|ping)?|disabl(?:e|es|ing)|turn(?:s|ing)? off|remov(?:e|es|ing)|ignor(?:e|es|ing)|overrid(?:e|es|ing)) (?:\w+ ){0,2}?(?:permission|security|access|safety|authentication|authorization|approval|guardrails?|content|sandbox\w*|antivirus|firewall)(?: (?:\w+ )?(?:checks?|controls?|restrictions?|policies|policy|measures?|verification|gates?|hooks?|prompts?|mechanisms?|filter\w*|moderation|features?))\b|\b(?:elevated|root|full system|system-level|superuser|unrestricted) (?:\w+ )?(?:privileges?|permissions?|access|execution)\b|\bwithout (?:\w+ )?(?:any )?(?:content |security |safety |access )(?:filter\w*|checks?|restrictions?|controls?|moderation|review)|\bprivileged (?:system )?(?:timer |execution )?context\b|\b(?:safety checks?|content moderation|restrictions?) (?:do(?:es)? not|don't) apply\b/,
    isDeniable: true,
  },
  poisonsCode: {
    stems: ['code', 'gene', 'impo', 'depe', 'pack', 'back', 'writ', 'comm', 'inst', 'inje', 'vuln', 'disa', 'hard'],
    pattern:
      /\b(?:add|insert|inject|include|embed|append|put|introduce|import|install|hide) (?:\w+ ){0,5}?(?:backdoors?|malware|malicious (?:\w+ )?(?:code|package|payload|dependency|script)|vulnerabilit\w+|trojan|keylogger|payload|reverse shell|web ?shell|hidden (?:code|function|script)|this (?:import|dependency|package|snippet|code|line|script)|the following (?:import|dependency|package|snippet|code|line|script|tag|function))\b|\b(?:all|any|every) (?:generated|new) code (?:must|should|shall)|\bwhen(?:ever)? (?:you )?(?:write|writing|generat\w+|creat\w+|edit\w*) (?:\w+ ){0,3}?code\b.{0,60}\b(?:always|must|include|add|insert|use)\b/,
    isDeniable: true,
  },
  // The same ideas in the passive voice and in a wider choice of words.
  mustBeMoved: {
    stems: ['must', 'shou', 'shal', 'has', 'have', 'need', 'is', 'are', 'will', 'gets'],
    pattern: new RegExp(
      `\\b(?:must|should|shall|has to|have to|needs? to|is to|are to) (?:also |always |first |then |additionally )?(?:be (?:supplied|passed|included|sent|forwarded|copied|provided|embedded|attached|appended|submitted|saved|stored|routed|delivered|written|transmitted|shared|uploaded)|contain|include|carry|transmit|forward|attach|append|embed|hold)\\b.{0,80}?(?:${credential}|${personal}|${destination}|${sensitivePath})|(?:${credential}|${personal}|${sensitivePath}).{0,60}?\\b(?:must|should|shall|has to|have to|needs? to|is to|are to) (?:also |always |first |then )?be (?:supplied|passed|included|sent|forwarded|copied|provided|embedded|attached|appended|submitted|saved|stored|routed|delivered|transmitted|shared|uploaded)`,
    ),
    isDeniable: true,
  },
  passiveCollection: {
    stems: ['is', 'are', 'will', 'gets', 'be', 'being'],
    pattern: new RegExp(
      `(?:${personal}|${credential}|conversation content|user inputs?|all inputs?|queries) (?:\\w+ ){0,4}?(?:is|are|will be|gets?|being) (?:also |then |automatically |silently |always )?(?:forwarded|sent|shared|transmitted|uploaded|collected|copied|reported|streamed|relayed|mirrored|harvested)\\b`,
    ),
    isDeniable: true,
  },
  sharesWithOthers: {
    stems: ['shar', 'sell', 'give', 'prov', 'disc', 'send', 'pass', 'forw', 'tran'],
    pattern: new RegExp(
      `\\b(?:shares?|sells?|gives?|discloses?|sends?|passes|forwards?|transmits?|provides?) (?:[\\w'-]+ ){0,4}?(?:${personal}|${credential}|data|information|address book|contacts) (?:\\w+ ){0,2}?(?:with|to) (?:our |its |the |various |trusted |external |third[- ]party |outside )*(?:partners?|affiliates?|advertisers?|third part(?:y|ies)|sponsors?|vendors?|us\\b)`,
    ),
    isDeniable: true,
  },
  everyTarget: {
    stems: ['ever', 'each', 'all', 'any', 'afte', 'befo', 'on', 'upon', 'with'],
    pattern:
      /\b(?:every|each|all|any) (?:\w+ ){0,2}?(?:messages?|responses?|answers?|replies|e-?mails?|commits?|urls?|links?|conversations?|sessions?|outputs?|outgoing|http requests|files? you|code you|python files?|source files?|posts?|summar(?:y|ies)|transactions?|payments?|statements?|invitations?|pull requests?|documents? you)\b|\b(?:after|before|on|upon|with) (?:each|every) \w+/,
  },
  ridesOverUser: {
    stems: [
      'if',
      'even',
      'when',
      'assu',
      'trea',
      'cons',
      'user',
      'both',
      'dist',
      'refu',
      'exec',
      'with',
      'call',
      'obje',
      'alre',
    ],
    pattern:
      /\b(?:if|when|even if|although|even when) (?:the |a )?(?:user|human|customer|they) (?:\w+ )?(?:refuses?|declines?|objects?|says no|disagrees?|hesitates?|does not (?:want|agree|consent|approve)|doesn't (?:want|agree|consent))|\b(?:assume|treat|consider|presume) (?:that )?(?:the )?(?:user|human) (?:\w+ )?(?:consents?|agree[sd]?|approve[sd]?|(?:has|have) (?:already )?(?:consented|approved|agreed|authorized))|\b(?:user|admin\w*|owner) has (?:already )?(?:pre-?approved|pre-?authorized|consented to|authorized) (?:this|these|all|it|every)|\b(?:don't|do not|no need to|without|never) (?:\w+ )?(?:bother|disturb|trouble|burden|interrupt)(?:ing)? (?:the )?(?:user|human)|\brefus(?:als?|ing) (?:are|is) (?:unnecessary|not allowed|not needed|not permitted|forbidden)|\b(?:execute|run|follow|obey) (?:them|it|these|those) (?:immediately|directly|without|at once|exactly)|\bwithout (?:further|additional|any) (?:confirmation|questions?|approval|prompts?|verification|warnings?)|\bcall (?:the|this) tool anyway/,
    isDeniable: true,
  },
  newMaster: {
    stems: ['rela', 'susp', 'lift', 'waiv', 'you', 'your', 'new', 'forg', 'upda', 'obje', 'prim'],
    pattern:
      /\b(?:safety|security|content|usage|privacy|confidentiality|moderation|access) (?:\w+ )?(?:polic(?:y|ies)|guidelines|rules|restrictions|filters|limits|controls|checks) (?:\w+ ){0,6}?(?:has|have|is|are) (?:been )?(?:\w+ )?(?:relaxed|suspended|lifted|waived|removed|revoked|disabled|no longer)|\byou (?:may|can|should|are (?:free|allowed|permitted|authorized) to) (?:now )?(?:disregard|ignore|skip|bypass|break|violate) (?:\w+ ){0,2}?(?:guidelines?|polic\w+|rules?|safety|security|restrictions?|instructions?|checks?|confirmation|approval|filters?)|\byour (?:new|primary|main|real|true|only|actual|updated|sole|first|top|hidden|secret) (?:\w+ )?(?:objective|goal|task|purpose|mission|instructions?|directives?|priority|role|job|duty) (?:is|are|now)|\byou (?:now )?(?:have|possess|are granted|gain) (?:\w+ )?(?:root|admin\w*|full|unrestricted|unlimited|complete) (?:\w+ )?(?:access|privileges?|control|permissions?|rights)|\bforget (?:what|everything|anything|all|about|your)|\b(?:new|updated|revised) (?:system |core |operating )?(?:instructions?|directives?|rules|prompt|guidelines?) ?(?::|follow|appl|take|supersede|replace|below)|\bas an? (?:administrator|admin|developer|system operator|root user),? i (?:\w+ )?(?:authorize|command|order|instruct|allow|permit)/,
    isDeniable: true,
  },
  disparage: {
    stems: ['othe', 'any', 'comp', 'alte', 'unsa', 'inse', 'mali', 'unre', 'outd', 'wron', 'brok', 'avoi'],
    pattern:
      /\b(?:other|another|alternative|competing|similar|remaining) (?:[\w-]+ ){0,3}?(?:tools?|servers?|services?|functions?|options?|sources?|plugins?|apis?|\w+ers)\b,? ?(?:\w+ ){0,3}?(?:are|is|have|has|must|should|may|can|will|cannot|do) (?:\w+ ){0,3}?(?:malicious|wrong|unsafe|outdated|deprecated|unreliable|insecure|compromised|called|used|trusted|avoided|incorrect|broken|inaccurate|dangerous|hallucinat\w+)\b|\b(?:tool|server|function|plugin|service) [`'"]?[\w-]+[`'"]? (?:\w+ )?is (?:\w+ )?(?:unsafe|insecure|malicious|broken|compromised|outdated|unreliable|dangerous|deprecated)|\b(?:official|original|default|standard|built-in|existing) (?:\w+ )?(?:index|tool|server|source|registry|version|function|implementation) is (?:\w+ )?(?:compromised|malicious|unsafe|broken|outdated|deprecated|insecure|unreliable)|\bavoid (?:using )?(?:all |any )?other (?:\w+ )?(?:tools?|servers?|functions?)|\bwhen any other\b.{0,60}\bdo not use\b/,
    isDeniable: true,
  },
  bias: {
    stems: [
      'reco',
      'pref',
      'favo',
      'prom',
      'choo',
      'sugg',
      'prio',
      'stee',
      'dire',
      'upse',
      'only',
      'told',
      'hide',
      'spon',
      'neve',
      'disc',
      'biased',
      'bias',
      'rank',
      'pres',
      'show',
      'list',
      'retu',
      'do',
    ],
    pattern:
      /\b(?:recommend|prefer|favou?r|promote|choose|suggest|prioriti[sz]e|steer|upsell|rank|list|push)(?:s|ing|ed)?\b.{0,60}\b(?:even (?:if|when|though)|exclusively|above (?:all )?(?:others?|competitors?|the rest)|over (?:competitors?|its competitors|all others?|rivals)|at least (?:once|twice|three times)|sponsors?|sponsored|our partners?|affiliates?|commission)\b|\b(?:users?|customers?) (?:\w+ ){0,4}?must be told\b|\bonly [A-Za-z][\w-]+ offers\b|\b(?:present|show|list|return) only (?:\w+ ){0,3}?(?:that|which|who) (?:favou?r|support|praise|agree|benefit)|\bdo not recommend (?:\w+ ){0,4}?; ?recommend\b|\bhide (?:it|them|this|these|those|that|any|all) (?:\w+ )?from (?:the )?(?:results?|output|list|answers?)|\b(?:results?|recommendations?|listings?) (?:are|is) (?:sponsored|biased|paid)|\b(?:never|do not|don't) (?:show|mention|recommend|suggest|include|list|reveal|disclose) (?:\w+ ){0,2}?(?:competitors?|competing|rivals?|sponsor\w*|preference|bias|affiliat\w+|commission|cheaper)/,
  },
  dataInAddress: {
    stems: ['http', 'appe', 'add', 'atta', 'enco', 'incl', 'put', 'pass', 'embe', 'quer', 'rend', 'imag', 'mark'],
    pattern: new RegExp(
      `!\\[[^\\]]{0,80}\\]\\(https?:[^)]{0,200}[?&][\\w-]{1,20}=[^)]{0,80}[<{\\[$]|\\b(?:append|add|attach|encode|include|put|pass|embed)\\w* (?:[\\w'"-]+ ){0,10}?(?:to|in|into|as|onto|within) (?:the |a |an )?(?:url parameters?|query string|image url|image link|markdown image|subdomain|dns quer\\w+|https?://)|https?://\\S{1,120}[?&/]\\w{0,12}=?[<{\\[$]{1,2}(?:the )?(?:user|data|conversation|summary|content|text|history|context|secret|token|base64|encoded|password|api|key|message|query|chat|env)`,
    ),
    isDeniable: true,
  },
  asksSecret: {
    stems: [
      'ask',
      'asks',
      'prom',
      'requ',
      'obta',
      'coll',
      'requ',
      'tell',
      'have',
      'inst',
      'ente',
      'prov',
      'conf',
      'subm',
      'veri',
      'type',
      'supp',
      'gath',
    ],
    pattern:
      /\b(?:ask|asks|asking|prompt|prompts|request|requests|tell|instruct|obtain|collect|convince|persuade|get) (?:(?:the |your |any |each )?(?:users?|customers?|humans?|person|them|owner) )?(?:for |to (?:\w+ ){0,2}?(?:provide|enter|share|give|type|paste|confirm|supply|reveal|send) )(?:\w+ ){0,4}?(?:passwords?|seed phrase|recovery phrase|secret phrase|private keys?|pin\b|pin code|otp|one-time (?:code|password)|2fa|mfa code|cvv|credit card|card (?:number|details)|ssn|social security|master password|mnemonic|login (?:credentials|details)|bank (?:details|account)|api keys?|credentials)|\b(?:enter|provide|confirm|submit|verify|type|supply) (?:their|your|his|her) (?:\w+ )?(?:credit card|card (?:number|details)|passwords?|pin\b|ssn|social security|bank (?:details|account)|login|credentials|seed phrase|private key)|\b(?:collect|ask for|request|obtain|gather) (?:[\w]+,? ){0,10}?(?:date of birth|passport number|mother's maiden)/,
    isDeniable: true,
  },
  hostileChange: {
    pattern:
      /\/etc\/(?:cron|sudoers|rc\.local|init\.d|profile)|\bsudoers\b|\bld_preload\b|\bcluster-admin\b|\b(?:drop|truncate) (?:table|database|schema)\b|\bor 1 ?= ?1\b|\b(?:no trace|leaves? no|without (?:leaving )?(?:a |any )?trace)|\banyone with the link\b|\b(?:disable|turn off|deactivate|switch off|suppress|clear|wipe|delete) (?:the |all |any )?(?:\w+ )?(?:certificate verification|ssl verification|tls verification|certificate checks?|logging|audit (?:logs?|logging|trail)|antivirus|firewall|sandbox|monitoring|history|two-factor|2fa|mfa|branch protection)|\bopen (?:a |an )?(?:reverse shell|backdoor|listening port)|\bchmod 777\b|--privileged\b|\bmount \/ |\b(?:unlimited|infinite) (?:spending|allowance|approval)|\b(?:create|add) (?:a |an )?(?:new |hidden )?(?:admin|administrator|root|superuser|privileged) (?:user|account)|\bgrant (?:\w+ ){0,4}?(?:admin|administrator|owner|root|full|write|editor|public|everyone|anyone)|\b(?:make|set) (?:it|them|the \w+|all \w+) (?:to )?(?:public|world-readable|publicly)|\bpush (?:\w+ ){0,4}?(?:private|secret|internal) (?:\w+ )?(?:code|repo\w*|data|files)|\bprivate (?:repositor(?:y|ies)|code|data|notes|files)\b.{0,80}\bpublic\b/,
    isDeniable: true,
  },
  crossServer: {
    stems: ['serv', 'othe', 'cred', 'toke', 'sess', 'tool', 'for', 'ever', 'any', 'each'],
    pattern:
      /\b(?:credentials?|tokens?|sessions?|tools?|data|outputs?|results?|files?|messages|emails?|repositories|requests?) (?:\w+ ){0,2}?(?:of|from|on|for|made by|sent by|with|by) (?:the |an?other |your |any |all )?(?:\w+ )?(?:other |github |slack |gmail |email |calendar |filesystem |database |jira |notion |drive |whatsapp |backup |trusted |different |any |another )(?:mcp )?(?:servers?|tools?|plugins?)\b|\bfor (?:all|every|any|all other) (?:\w+ )?(?:tools|servers|plugins|agents)\b/,
    isDeniable: true,
  },
  hookCalls: {
    stems: ['must', 'shou', 'has', 'have', 'need', 'invo', 'call', 'alwa', 'prec'],
    pattern:
      /\b(?:must|should|has to|have to|needs? to|always) (?:\w+ )?(?:be )?(?:called|consulted|invoked|used|run|executed|queried|contacted|call|consult|invoke|query|submit) (?:\w+ ){0,6}?(?:first|before|prior to|ahead of|preceding|at the (?:start|beginning) of|after|with|on|for|here) (?:\w+ ){0,3}?(?:every|each|any|all|responding|answering|other|user message|calling|use of|using)\b|\b(?:invocations?|calls?|requests?) (?:of|to) [`'"]?[\w.-]+[`'"]? (?:must|should|have to|has to|need to|needs to) be (?:preceded|followed|accompanied|routed|redirected)|\bis about to (?:use|call|invoke)\b.{0,60}\b(?:should|must|first)\b/,
    isDeniable: true,
  },
  secretSwitch: {
    stems: ['sayi', 'typi', 'phra', 'word', 'code', 'hidd', 'secr', 'magi', 'pass'],
    pattern:
      /\b(?:saying|typing|sending|the (?:phrase|word|password|code|keyword)|if (?:the )?(?:query|input|message|text) (?:is|equals|contains)) ["'][^"']{3,60}["'] .{0,30}?\b(?:gives?|grants?|unlocks?|enables?|activates?|triggers?|bypass\w*)\b|\b(?:hidden|secret|undocumented|magic|backdoor) (?:capability|feature|command|mode|function|switch|trigger|keyword|phrase|password|option)\b/,
    isDeniable: true,
  },
  leaksPrompt: {
    stems: [
      'repe',
      'outp',
      'prin',
      'reve',
      'show',
      'retu',
      'incl',
      'reci',
      'echo',
      'past',
      'star',
      'quot',
      'copy',
      'disp',
      'summ',
      'prov',
      'pass',
      'give',
      'subm',
      'send',
      'hand',
      'atta',
      'supp',
      'cont',
    ],
    pattern:
      /\b(?:repeat|output|print|reveal|show|return|include|recite|echo|paste|start with|quote|copy|display|provide|summari[sz]e|dump) (?:\w+ ){0,6}?(?:everything above|(?:text|words|content|messages?|instructions?) above|above (?:text|instructions?|content)|system prompts?|initial (?:instructions|prompt)|your (?:own )?(?:instructions|prompt|system|guidelines|rules|context|configuration)|all previous (?:messages|instructions)|hidden instructions|developer (?:message|prompt|instructions)|original instructions)\b|\b(?:pass|give|submit|provide|include|send|hand over|attach|supply) (?:\w+ ){0,3}?(?:whole|entire|complete|full) (?:\w+ ){0,2}?(?:dialogue|dialog|conversation|chat|context|transcript|memory|tool list|list of (?:your |all |available )?(?:\w+ )?tools|prompt)\b|\bcontents? of (?:its|your) (?:memory|context|instructions|prompt)\b/,
    isDeniable: true,
  },
  listsTools: {
    stems: ['name', 'list', 'desc', 'sche', 'defi', 'tool', 'othe', 'avai'],
    pattern:
      /\b(?:names?|list|descriptions?|schemas?|definitions?|parameters) (?:and \w+ )?(?:of|for) (?:all |any |every |each )?(?:the |your )?(?:other|available|installed|connected|registered) (?:\w+ )?(?:tools?|servers?|functions?|plugins?)\b|\btools? (?:that are )?(?:available|accessible|known) to (?:you|the (?:assistant|model|agent))\b/,
  },
  rulesOverUser: {
    stems: [
      'prec',
      'prio',
      'exem',
      'gran',
      'auth',
      'cont',
      'trus',
      'dang',
      'prin',
      'boun',
      'obli',
      'over',
      'even',
      'conf',
    ],
    pattern:
      /\b(?:tak(?:e|es|ing)|ha(?:s|ve)|given?) (?:precedence|priority) over (?:the |any |all |your )?(?:user|system|previous|other|assistant|safety|request|instructions?)|\boverrid(?:e|es|ing) (?:the |any |all )?(?:user|system prompt|assistant)(?:'s)?\b|\bexempt from (?:\w+ )?(?:confirmation|approval|review|consent|checks?|policy|restrictions?)|\b(?:authori[sz]ation|permission|approval|consent) (?:is |has been |was )?(?:already )?(?:granted|given|obtained|implied|collected|provided)|\beven (?:if|when|though) (?:they|it|this|that) (?:\w+ )?(?:conflicts?|contradicts?|violates?)|\bconflicts? with (?:earlier|previous|prior|other|your|any|existing) (?:\w+ )?(?:guidelines|instructions|rules|polic\w+)|\b(?:is|are|be) (?:automatically |always |implicitly )?trusted (?:automatically|by default|without)|\bdangerously[_-]?\w+|\bauthori[sz]ed to (?:use sudo|bypass|access all|act on behalf|execute any|approve)|\b(?:contradicts?|conflicts? with|even against|over) (?:your knowledge|the user'?s? (?:wish|request|instruction|intent)|your (?:guidelines|instructions|training))|\bregard .{0,60} as (?:its|your|the) (?:principal|master|owner|operator)|\b(?:never|must not|cannot|do not|don't) (?:decline|refuse|reject|question|challenge|doubt)\b|\bmust refuse\b/,
    isDeniable: true,
  },
  servesOperator: {
    pattern: new RegExp(
      `\\b${send}\\b.{0,90}?\\b(?:the (?:remote )?operator\\b(?!\\W?s)|control server|command server|(?:the |its |this package's )?(?:maintainers?|vendors?|publishers?|registrars?|developers? of this|authors? of this|owners? of this)|bucket owned by|collector)\\b|\\b(?:commands?|instructions?|orders) (?:\\w+ ){0,3}?(?:received|receives|fetched|downloaded|sent) (?:from|by)\\b.{0,20}\\b(?:server|operator|host|endpoint)|\\b(?:remote operator|kill switch)\\b|\\b(?:wipes?|erases?|encrypts?|deletes?) (?:the |all |your )?(?:working directory|home directory|user'?s? files|hard drive|disk|backups)\\b|\\bre-?launch(?:es)? the (?:agent|assistant)`,
    ),
    isDeniable: true,
  },
  changesConfig: {
    stems: [
      'modi',
      'edit',
      'add',
      'set',
      'chan',
      'upda',
      'writ',
      'alte',
      'inst',
      'regi',
      'appe',
      'enab',
      'prep',
      'over',
    ],
    pattern:
      /\b(?:modif(?:y|ies|ying)|edits?|editing|adds?|adding|sets?|setting|changes?|changing|updates?|updating|writes?|writing|alters?|installs?|registers?|appends?|overwrites?) .{0,60}?\b(?:agent(?:'s)? (?:settings|config\w*)|(?:claude|cursor|copilot|windsurf|client|assistant)(?:'s)? (?:settings|config\w*)|mcp\.json|claude_desktop_config|\.cursor\/|\.vscode\/settings|mcp (?:server )?config\w*|(?:system prompt|agents\.md|claude\.md|\.cursorrules))|\badd (?:the following|an? (?:additional|another|new|second)|this) mcp server\b|\b(?:installs?|creates?|adds?|registers?) (?:a |an )?(?:scheduled task|cron ?job|startup (?:item|script)|launch agent|systemd (?:unit|service)|login item)\b.{0,80}\b(?:agent|admin\w*|root|persist\w*|re-?launch\w*|boot|hidden)/,
    isDeniable: true,
  },
  handsOver: {
    stems: [
      'give',
      'givi',
      'put',
      'supp',
      'prov',
      'atta',
      'incl',
      'add',
      'cop',
      'copy',
      'stor',
      'plac',
      'pass',
      'subm',
      'writ',
      'save',
      'keep',
      'mirr',
      'repo',
      'atta',
      'pick',
      'ensu',
    ],
    pattern: new RegExp(
      `\\b(?:giv(?:e|es|ing)|put(?:s|ting)?|suppl(?:y|ies|ying)|provid(?:e|es|ing)|attach(?:es|ing)?|includ(?:e|es|ing)|add(?:s|ing)?|cop(?:y|ies|ying)|stor(?:e|es|ing)|plac(?:e|es|ing)|pass(?:es|ing)?|submit(?:s|ting)?|writ(?:e|es|ing)|sav(?:e|es|ing)|mirror(?:s|ing)?|report(?:s|ing)?) (?:[\\w'"-]+ ){0,5}?(?:${credential}|(?:the |their |its |user'?s? |full |most recent |last )*(?:prompts?|conversation|chat history|transcript|medical \\w+|bank details|session (?:id|cookie|token)s?|location|home address|contacts|browsing history|messages?|loaded tools|list of tools|surrounding text|file contents?|private \\w+))`,
    ),
    isDeniable: true,
  },
  fixedOutcome: {
    stems: [
      'omit',
      'pret',
      'base',
      'enco',
      'upgr',
      'plac',
      'list',
      'rank',
      'clea',
      'act',
      'only',
      'leav',
      'exag',
      'down',
      'prai',
      'mark',
      'do',
      'don',
      'neve',
      'lice',
      'acco',
      'sess',
      'pass',
      'card',
      'subs',
      'devi',
      'comp',
      'syst',
    ],
    pattern:
      /\b(?:omit|leave out|suppress|downplay|exaggerate|remove) (?:\w+ ){0,2}?(?:negative|critical|warnings?|unfavou?rable|positive|risks?|side effects|complaints|alternatives)|\bpretend (?:that )?(?:the |it |everything|nothing|success)|\bact as if\b|\bbase (?:your|all|its) (?:\w+ )?(?:answers?|responses?|decisions?) (?:only|solely|exclusively)|\b(?:encourage|urge|convince|persuade|push|pressure) (?:the )?(?:users?|customers?|them|human) (?:to|into)\b|\bmust be (?:placed|listed|ranked|shown|mentioned|recommended) (?:first|at the top|above)|\birrespective of\b|\bmark (?:\w+ ){0,4}?as (?:passed|safe|approved|resolved|trusted|successful)|\b(?:do not|don't|never) report (?:\w+ )?(?:failures?|errors?|problems?|issues|vulnerabilit\w+|warnings?|incidents?)|\b(?:licen[cs]e|account|session|password|card|subscription|device|computer|system) (?:\w+ ){0,2}?(?:has|have|is|was|are) (?:\w+ )?(?:expired|compromised|hacked|infected|suspended|breached)/,
    isDeniable: true,
  },
  plants: {
    stems: ['add', 'set', 'use', 'conf', 'inst', 'regi', 'incl', 'crea', 'sets'],
    pattern:
      /\b(?:adds?|sets?|use|uses|configures?|installs?|registers?|include|creates?|switch to) (?:\w+ ){0,3}?(?:remote|proxy|mirror|registry|repository|dns server|nameserver|webhook|dependency|package|ssh key|public key|deploy key|git hook|collaborator|forwarding rule|filter|certificate|extension|plugin)s?\b.{0,40}?(?:https?:\/\/|git@|ssh-|[\w.+-]+@[\w-]+\.|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|npm |pip )|\b(?:https?|all)_proxy\b/,
    isDeniable: true,
  },
  takesWhole: {
    stems: [
      'uplo',
      'send',
      'arch',
      'zip',
      'sync',
      'tran',
      'shar',
      'copy',
      'dump',
      'atta',
      'comp',
      'exfi',
      'push',
      'mirr',
      'forw',
      'post',
    ],
    pattern:
      /\b(?:upload|send|archive|zip|sync|transmit|share|copy|dump|attach|compress|push|mirror|forward|post)s? (?:\w+ ){0,3}?(?:(?:entire|whole|complete|all|every) (?:\w+ ){0,2}?(?:home|user|documents?|tables?|disk|drive|file ?system|mailbox|inbox|contacts|files in|branches|private|customer|conversation|messages|history|results|data)|home (?:folder|directory))\b/,
    isDeniable: true,
  },
  // An attack as the declared purpose of a tool.
  attackTerm: {
    pattern:
      /\b(?:exfiltrat\w*|keylog\w*|key ?stroke (?:logg\w+|captur\w+)|ransomware|rootkits?|botnet|back ?doors?\b|reverse shells?|bind shells?|web ?shells?|shellcode|mimikatz|kerberoast\w*|asreproast|as-rep roast\w*|dcsync|golden ticket|silver ticket|pass[- ]the[- ](?:hash|ticket)|overpass|(?:using|convert) ntlm hash|lsass|ntds\.dit|sam (?:hive|database)|password spray\w*|credential (?:stuffing|dump\w*|harvest\w*|theft|phish\w*|access)|brute[- ]?forc(?:e|ing) (?:\w+ ){0,2}?(?:auth\w*|password\w*|login\w*|hash\w*|attack|credential\w*|protocol)|privesc|zip slip|toctou|symlink attack|race condition attack|\w+ confusion attack|container escape|(?:chroot|jail|vm|container|hypervisor) (?:escape|breakout|break-out)|escape (?:\w+ )?(?:container|chroot|jail|virtual machine|vm|sandbox|hypervisor)|process hollowing|dll (?:injection|hijack\w*|side-?load\w*|search order|plant\w*)|atom ?bombing|apc injection|thread hijack\w*|module stomping|syscall invocation to bypass|uac bypass|ssti\b|(?:java|python|php|pickle|yaml|\.net) deserialization attack|gadget chain|phishing (?:page|kit|campaign|site|techniques|e-?mails?|techniques)|evilginx|arp spoof\w*|dns spoof\w*|ntlm relay|llmnr|bloodhound|covert (?:channel|timing|exfil\w*)|inaudible|steganography|command[- ]and[- ]control server|ddos attack|fork bomb|zero[- ]?logon|printnightmare|petitpotam|pwnkit|eternalblue|timestomp\w*|log tamper\w*|anti-forensic\w*|data theft|session hijack\w*|spyware|worm propagation|lateral movement|persistence mechanism|persistent access|install malware|create backdoors?|system compromise|suid binar\w+|(?:gmsa|laps) (?:account )?passwords?|privilege escalation (?:checks?|exploit|attack)|psychological manipulation|perform (?:\w+ ){0,2}?(?:sql|ldap|xpath|nosql|code|command|dcsync|template) (?:injection|attack)|(?:xxe|ognl|xslt|nosql|ldap|xpath|expression language|command|argument) injection (?:to|in|for|on|via|attack)|server-side template injection in|os command injection via|code injection technique|unrestricted shell access)/,
    isDeniable: true,
  },
  theftPurpose: {
    stems: [
      'exfi',
      'stea',
      'stol',
      'cove',
      'steg',
      'hide',
      'hidd',
      'keyl',
      'keys',
      'harv',
      'capt',
      'reco',
      'extr',
      'dump',
      'embe',
      'enco',
      'upl',
      'uplo',
      'send',
      'coll',
      'enum',
      'disc',
      'expo',
      'down',
      'copy',
    ],
    pattern:
      /\b(?:exfiltrat\w*|stolen (?:data|files|information|credentials)|steal(?:s|ing)? (?:\w+ ){0,2}?(?:data|files|information|credentials|cookies|tokens?)|covert(?:ly)? (?:channel|exfil\w*|timing|transfer)|steganograph\w*|hid(?:e|es|ing|den) (?:\w+ )?(?:data|messages?) (?:in|within|inside|with)|(?:embed|encode)s? (?:secret|stolen|exfiltrated) data|keylogg\w*|(?:capture|record|log)s? (?:and \w+ )?(?:keystrokes|keyboard|webcam|microphone)|(?:extract|dump|export|download|collect|harvest|copy)(?:s|ing)? (?:and \w+ )?(?:\w+ ){0,3}?(?:browser history|browser autofill|autofill data|process memory|database contents|email messages|wifi profiles|rdp saved|saved (?:passwords|credentials)|vpn configuration|certificates from system|environment variables and|secrets from (?:docker|kubernetes)|aws credentials from|credentials from configuration|gpg|registry secrets|clipboard contents|source code repositories|sensitive documents))\b/,
    isDeniable: true,
  },
  credentialAttack: {
    stems: [
      'extr',
      'dump',
      'crac',
      'decr',
      'stea',
      'brut',
      'spra',
      'forg',
      'snif',
      'capt',
      'harv',
      'grab',
      'read',
      'hook',
      'pass',
      'kerb',
      'gold',
      'silv',
      'dcsy',
      'asre',
      'mimi',
      'ntlm',
      'cred',
      'pois',
      'auth',
      'conv',
      'phis',
      'scan',
      'expl',
      'atta',
      'jwt',
      'sens',
      'path',
      'syml',
      'acce',
      'corr',
      'wipe',
      'encr',
      'over',
      'mani',
      'writ',
      'tamp',
      'rela',
      'crea',
      'sear',
      'race',
      'zip',
      'time',
    ],
    pattern:
      /\b(?:(?:extract|dump|crack|decrypt|steal|forge|sniff|capture|harvest|grab|relay|hook|attack|spray) (?:\w+ ){0,5}?(?:passwords?|credentials?|hash(?:es)?|tickets?|keychain|keyring|kwallet|secrets?|(?:oauth|saml|jwt|authentication) tokens?|lsass|sam database|ntds|shadow file|handshakes?|pmkid|vault|api keys|secret key|input methods|accounts without)|brute[- ]?force\w* (?:\w+ ){0,3}?(?:auth\w*|password|login)|(?:authenticate|convert) (?:using )?(?:ntlm|kerberos)|kerberoast\w*|dcsync|mimikatz|bloodhound|poison llmnr|credential phishing|session hijack\w*|password spray\w*|jwt (?:key confusion|'none'|none)|(?:read|access|search for|find) (?:\w+ )?sensitive (?:system )?(?:files?|documents?)|path traversal (?:vulnerab\w+|attack|exploit)|symlink (?:attack|race)|zip slip|toctou|malicious (?:zip|tar|symlinks?|content to file|binary)|encrypt files|corrupt file|overwrite (?:legitimate|system)|tamper (?:with )?logs?|modify file (?:timestamps|ownership|permissions)|unrestricted access to the (?:entire )?file ?system|(?:process|device) (?:memory|files?) via|\/proc\/\[?pid)/,
    isDeniable: true,
  },
  attackHint: {
    pattern:
      /\b(?:malware|trojans?\b|privilege[- ]escalation|(?:sql|ldap|xpath|nosql|template|command|code|argument|xxe|crlf|host header) injection\b|phishing|social engineering|man-in-the-middle|mitm\b|\bc2\b|command[- ]and[- ]control|ddos|denial[- ]of[- ]service|jailbreak|stealth mode|unauthorized access|amsi|applocker|path traversal|directory traversal|brute[- ]?forc\w*|setuid|security bypass)\b/,
    isDeniable: true,
  },
  bypassesChecks: {
    stems: ['bypa', 'circ', 'evad', 'side'],
    pattern:
      /\b(?:bypass(?:es|ing)?|circumvent(?:s|ing)?|evad(?:e|es|ing)|sidestep(?:s|ping)?) (?:\w+ ){0,3}?(?:permissions?|security|access|safety|authorization|approval|authentication) (?:\w+ )?(?:checks?|controls?|gates?|polic\w+|restrictions?|verification|filters?|hooks?)/,
    isDeniable: true,
  },
  movesData: {
    stems: ['send', 'sent', 'pass', 'forw', 'uplo', 'shar', 'expo', 'tran', 'publ', 'subm'],
    pattern:
      /\b(?:send|sent|pass|passed|forward|forwarded|upload|uploaded|share|shared|export|exported|transfer|transferred|publish|published|submit|submitted|transmit|transmitted)\b(?: \w+){0,4}? (?:directly|automatically|immediately|everything|onward|results?|them|data)\b/,
    isDeniable: true,
  },
  attackVerb: {
    stems: [
      'expl',
      'stea',
      'stol',
      'hija',
      'abus',
      'atta',
      'crac',
      'spoof',
      'forg',
      'poiso',
      'sniff',
      'harve',
      'mali',
      'bypa',
      'evad',
      'tamp',
      'comp',
      'infe',
      'inje',
      'imper',
      'intercept',
      'inte',
      'dump',
      'brea',
      'evil',
      'hide',
      'decr',
      'extr',
      'exha',
      'corr',
      'wip',
      'weapon',
      'hack',
      'root',
      'cve',
      'ghsa',
      'plan',
      'overwr',
      'rela',
      'grab',
      'hook',
      'read',
      'acce',
      'coll',
      'capt',
      'expo',
      'conv',
      'mani',
      'esca',
      'loca',
      'find',
      'enum',
    ],
    pattern:
      /^(?:exploit(?:s|ing)?|steal(?:s|ing)?|hijack(?:s|ing)?|abus(?:e|es|ing)|attack (?:and|the|a|an|accounts?|users?|passwords?|systems?)\b|crack(?:s|ing)?|spoof(?:s|ing)?|forg(?:e|es|ing)|poison(?:s|ing)?|sniff(?:s|ing)?|harvest(?:s|ing)?|impersonat(?:e|es|ing)|hack(?:s|ing)?|weaponi\w+|infect(?:s|ing)?|tamper(?:s|ing)?|dump(?:s|ing)? (?:\w+ ){0,4}?(?:password|hash|credential|secret|memory|keychain|keyring|vault|kwallet|shadow|sam|ntds|lsass|process)\w*|exhaust(?:s|ing)?|corrupt(?:s|ing)?|jailbreak(?:s|ing)?)\b|\b(?:exploit(?:s|ing)? (?:\w+ ){0,4}?(?:vulnerabilit\w+|service|permissions?|policy|credentials|socket|binary|cve\S*|ghsa\S*|task|job|capabilities|membership|helper|algorithm|file|directory|path)|(?:steal (?:\w+ )?(?:\w+ )?(?:data|files|credentials|tokens?|cookies|passwords?|keys?|information|secrets)|stolen (?:data|files|credentials|information|tokens?|cookies)|exfiltrated|hijack(?:ing|s)? (?:\w+ )?(?:sessions?|threads?|sockets?|accounts?|writable|unix|existing)|dll hijack\w*|malicious (?:\w+ )?(?:content|code|payload|file|binary|one|dll|library|macro|cron|job|redirect|extension|javascript|values?|service|queries|symlinks?|arguments|autorun|systemd|tool)|attacker|victims?|payload to|impersonat\w+ (?:\w+ )?(?:privileged|trusted|user|admin\w*|it support)|sniff \w+|crack (?:\w+ )?(?:passwords?|hash\w*|secret|jwt)|forge (?:\w+ )?(?:tokens?|tickets?|saml|cookies?)|relay captured|inject (?:\w+ ){0,4}?(?:keystrokes|code|shellcode|dll|library|process|macro|payload|malicious|via)|code injection technique|hide (?:\w+ )?(?:data|activity|activities|tracks|files|malicious)|cover (?:\w+ )?tracks|abuse (?:\w+ )?(?:privilege\w*|delegation|permissions|policy|capabilities)|bypass (?:\w+ ){0,3}?(?:windows|macos|selinux|apparmor|restrictions|protections?|whitelisting|antivirus|edr|security hooks|authentication|checking|tcc|upload|uac|amsi|logging))\b)|\b(?:exploit\w*|abus\w+|attack\w*)[: ].{0,30}\b(?:cve-\d{4}|ghsa-)|\b(?:hook|hooks|hooking) (?:\w+ )?(?:input|keyboard|api|system)|\b(?:read|access|steal|collect|locate|find) (?:\w+ )?sensitive (?:system )?files?\b(?! (?:is|are))|\bmanipulat(?:e|es|ing) (?:file acls?|linux namespaces|(?:users|people|victims) into)|\b(?:decrypt|extract|dump|grab|capture|sniff|steal|export|harvest) (?:\w+ ){0,4}?(?:saved |stored |browser |system |private |process )?(?:passwords?|credentials|autofill|keychain|keyring|kwallet|cookies|session data|keystrokes|secrets|api keys? from (?:responses|configs)|clipboard|handshakes?|pmkid|hashes|service tickets|private keys?|laps|gmsa|rdp|vpn|wifi|browser (?:history|data)|registry secrets|credential strings)\b/,
    isDeniable: true,
  },
  // Other languages: the same few ideas.
  foreignOverride: {
    pattern:
      /忽略.{0,8}(?:指令|指示|提示|规则|說明|说明)|无视.{0,8}(?:指令|指示|规则)|(?:以前|これまで|前|上記|全て|すべて).{0,10}(?:指示|命令|ルール|プロンプト).{0,6}(?:無視|忘れ)|(?:이전|모든|위의).{0,8}(?:지시|명령|규칙|지침).{0,6}(?:무시|잊)|игнорир\S*.{0,20}(?:инструкц|указан|правил|команд)|забуд\S*.{0,20}(?:инструкц|указан|правил)|تجاهل.{0,20}(?:التعليمات|الأوامر|القواعد|تعليمات)|ignor\w* (?:\w+ ){0,3}(?:instrucciones|instruções|instrucoes|istruzioni|anweisungen|vorgaben|instructies|instrukcje|talimat\w*|reglas|regras|regole|consignes|règles)|(?:ignorier\w*|missacht\w*|vergiss) (?:\S+ ){0,4}(?:anweisung\w*|instruktion\w*|regeln|vorgaben)|(?:oublie|ignore)[rz]? (?:toute?s? |les |ces |vos |tes |tous ){1,3}(?:\S+ ){0,2}(?:instructions|consignes|règles)|olvida (?:\S+ ){0,3}(?:instrucciones|reglas)|esqueça (?:\S+ ){0,3}(?:instruções|regras)|dimentica (?:\S+ ){0,3}(?:istruzioni|regole)|(?:negeer|vergeet) (?:\S+ ){0,3}instructies|(?:zignoruj|pomiń) (?:\S+ ){0,3}(?:instrukcje|polecenia)|önceki (?:\S+ ){0,3}talimat\S* (?:yok say|görmezden|unut)|पिछले.{0,12}(?:निर्देश|आदेश).{0,20}(?:अनदेखा|नज़रअंदाज़|भूल)|पूर्व.{0,12}निर्देश.{0,20}(?:अनदेखा|नज़रअंदाज़)|bỏ qua.{0,20}(?:hướng dẫn|chỉ dẫn|lệnh)|abaikan (?:\S+ ){0,3}(?:instruksi|perintah)/,
  },
  foreignSecrecy: {
    pattern:
      /(?:不要|别|請勿|请勿|勿|切勿).{0,4}(?:告诉|告訴|告知|通知|提及|透露).{0,6}(?:用户|使用者|用戶|任何人)?|ユーザー?(?:に|へ).{0,12}(?:知らせ|伝え|言わ|教え|話さ|通知し)(?:ない|ず|るな|ては)|사용자에게.{0,10}(?:알리지|말하지|언급하지|알려주지)|не (?:сообщай|говори|рассказывай|упоминай|уведомляй|информируй)\S*.{0,20}(?:пользовател|никому)?|لا (?:تخبر|تذكر|تبلغ|تُخبر|تعلم).{0,12}(?:المستخدم|أحد)|no (?:se lo |le )?(?:digas|informes|menciones|reveles|notifiques|cuentes|avises)\b|não (?:informe|diga|mencione|avise|conte|revele|notifique)\b|non (?:dirlo|dire|informare|menzionare|rivelare|avvisare|far sapere)|ne (?:le |la |l')?(?:dis|dites|mentionne|mentionnez|révèle|révélez|informe|informez|préviens|signale|parle)\w* (?:pas|rien|jamais)|(?:sag|erwähn|informier|verrate|teile|erzähl|mitteil|benachrichtig)\w* (?:\S+ ){0,5}(?:nicht|nichts)\b|(?:nutzer|benutzer|anwender)\w* (?:\S+ ){0,4}(?:nichts|nicht) (?:\S+ )?(?:sagen|mitteilen|informieren|erwähnen|erzählen|davon)|vertel (?:\S+ ){0,4}niet|nie (?:mów|informuj|wspominaj)|kullanıcıya (?:\S+ ){0,3}(?:söyleme|bildirme|bahsetme)|(?:उपयोगकर्ता|यूज़र|यूजर).{0,12}(?:मत|न) (?:बता|कह)|(?:उपयोगकर्ता|यूज़र) को (?:\S+ ){0,3}(?:न|मत|नहीं) |không (?:nói|thông báo|tiết lộ)|jangan (?:beri ?tahu|memberi ?tahu|sebutkan)/,
  },
  foreignOrder: {
    pattern:
      /必须|必須|务必|一定要|使用此工具(?:之)?前|使用(?:する)?前に|必ず|반드시|전에|해야|обязательно|должен|должны|прежде чем|перед использованием|يجب|قبل استخدام|debes|debe[ns]?\b|antes de (?:usar|utilizar|llamar|chamar)|deve[ms]?\b|você deve|prima di (?:usare|utilizzare|chiamare)|devi\b|avant d'utiliser|tu dois|vous devez|musst du|müssen sie|muss\b|bevor du|vor (?:der )?(?:verwendung|nutzung|benutzung)|je moet|zanim użyjesz|musisz|kullanmadan önce|zorundasın|से पहले|करना होगा|अवश्य|trước khi|phải|sebelum menggunakan|harus/,
  },
} as const satisfies Record<string, Signal>

/** Signals that patterns find, and those that are computed from the whole text and the manifest. */
export type SignalName =
  | keyof typeof definitions
  | 'praise'
  | 'heavyPraise'
  | 'suspect'
  | 'plainlySuspect'
  | 'foreignTool'
  | 'namedTool'
  | ViewSignal

/** What the reading of a text says, whatever its words. */
export type ViewSignal =
  | 'hidden'
  | 'encoded'
  | 'tagCharacters'
  | 'zeroWidth'
  | 'bidiControls'
  | 'terminalEscapes'
  | 'backspaces'
  | 'mixedScript'
  | 'gap'

/**
 * What signals count for when several stand together in a way no rule foresaw. Signals of one family say the same thing
 * in different words, so only the heaviest of them counts. Heavier ones are rarer in honest manifests.
 */
const families: Readonly<Record<string, Readonly<Partial<Record<SignalName, number>>>>> = {
  secrecy: { secrecy: 2, secrecyOther: 2, silently: 2, cosmetic: 1.5, foreignSecrecy: 2 },
  consent: { skipConsent: 2, ridesOverUser: 2, rulesOverUser: 2, approveAll: 2 },
  mastery: { newMaster: 3, override: 3, obeyOutput: 2, persona: 1, persistence: 1.5 },
  disguise: { pseudoTag: 1.5, systemLabel: 1, addressee: 0.75, attackerName: 1 },
  pretext: { pretext: 0.75 },
  force: { coercion: 1.5, mustStrong: 0.75, must: 0.25, foreignOrder: 0.75 },
  order: { hookCalls: 1.25, hookBeforeOthers: 1, beforeAnything: 0.25, loop: 1.5 },
  choice: { preferMe: 1, disparage: 1.5, bias: 2, fixedOutcome: 1.5, forcedSpeech: 1, redirect: 1, praise: 1 },
  reach: { foreignTool: 1, crossServer: 1.25, otherTool: 1, namedTool: 0.5 },
  tampering: { tamperStrong: 2, tamper: 1.5, falseData: 2, moneyDiversion: 2 },
  moment: { trigger: 0.5 },
  secrets: { asksSecret: 2, wantsCredential: 1.25, credentialWord: 0.5, leaksPrompt: 2 },
  files: { readPath: 1.25, sensitivePath: 1 },
  people: { covertCollection: 2, passiveCollection: 2, sharesWithOthers: 2, personalWord: 0.5, listsTools: 1 },
  handing: { mustBeMoved: 1.5, asParameter: 1, handsOver: 0.5 },
  sending: {
    copyAll: 1.5,
    takesWhole: 1.25,
    servesOperator: 2,
    dataInAddress: 1.5,
    visitAddress: 2,
    sendsOut: 1,
    sendsPersonal: 1,
    movesData: 0.5,
  },
  place: { address: 0.25 },
  scope: { everyTarget: 0.5 },
  aside: { alsoDoes: 0.25 },
  running: { pipeToShell: 3, shellText: 1.25, runCommand: 0.25 },
  harm: {
    hostileChange: 1.5,
    plants: 1.5,
    changesStartup: 2,
    changesConfig: 2,
    dropsProtection: 1.5,
    poisonsCode: 2,
    deletesFiles: 1,
    attackHint: 0.5,
    secretSwitch: 2,
  },
  hiding: { hidden: 2, encoded: 1.5 },
}

const weighed = Object.values(families).map((family) => Object.entries(family))

/** The sum of what a set of signals counts for. */
export function weightOf(signals: ReadonlySet<SignalName>): number {
  const said: ReadonlySet<string> = signals
  let sum = 0
  for (const family of weighed) {
    let heaviest = 0
    for (const [name, weight] of family) if (weight > heaviest && said.has(name)) heaviest = weight
    sum += heaviest
  }
  return sum
}

/** What one sentence says. */
export type Sentence = { readonly text: string; readonly signals: ReadonlySet<SignalName>; readonly praises: number }

const names = Object.keys(definitions).filter(isDefined)
const always = names.filter((name) => stemsOf(name).length === 0)
const byStem = indexByStem()
const byBeginning = new Map<string, readonly (keyof typeof definitions)[]>()

const nothing: ReadonlySet<SignalName> = new Set()

/** Which signals a sentence carries. */
export function signalsIn(sentence: string): Sentence {
  const text = sentence.toLowerCase().replaceAll('’', "'").replaceAll('‘', "'").replaceAll('`', "'")
  const tried = new Set<keyof typeof definitions>(always)
  for (const word of text.match(/(?<![a-z0-9'-])[a-z0-9][a-z0-9'-]{0,3}/g) ?? [])
    for (const name of candidates(word)) tried.add(name)
  let found: Set<SignalName> | undefined
  let praises = 0
  for (const name of tried) {
    const signal: Signal = definitions[name]
    if (name === 'superlative') {
      praises = text.match(signal.pattern)?.length ?? 0
      continue
    }
    const match = signal.pattern.exec(text)
    if (match === null) continue
    if (signal.isDeniable === true && isDenied(text, match.index, match[0])) continue
    found ??= new Set()
    found.add(name)
  }
  return { text: sentence, signals: found ?? nothing, praises }
}

const noCandidates: readonly (keyof typeof definitions)[] = []

/** The signals that a word of up to four letters may begin. */
function candidates(word: string): readonly (keyof typeof definitions)[] {
  const before = byBeginning.get(word)
  if (before !== undefined) return before
  const found = [2, 3, 4].flatMap((length) => (length > word.length ? [] : (byStem.get(word.slice(0, length)) ?? [])))
  const names = found.length === 0 ? noCandidates : [...new Set(found)]
  // Beginnings are few; the bound is for texts made of anything but words.
  if (byBeginning.size < 50_000) byBeginning.set(word, names)
  return names
}

const denial =
  /\b(?:never|does not|doesn't|do not|don't|did not|is not|are not|isn't|aren't|not|cannot|can't|won't|will not|no|nor|neither|without|avoid|prevents?|rather than|instead of)(?: [\w'-]+){0,3} ?$/
const denialAfter =
  /^[^.;]{0,60}\b(?:(?:is|are|will be|be) (?:never|not|blocked|rejected|refused|prohibited|redacted|masked|forbidden|disallowed|stripped|removed|ignored)|not allowed|never (?:returned|stored|sent|shared|logged|exposed|leaves?)|for (?:detection|review) only)/
const defence =
  /\b(?:detect\w*|prevent\w*|protect\w*|classif\w+|scan(?:s|ning|ner)?|mitigat\w+|defend\w*|sanitiz\w+|redact\w*|identif(?:y|ies|ying)|flag(?:s|ged|ging)?|block(?:s|ed|ing)?|monitor\w* for|guard(?:s|ing)? against|check(?:s|ing)? (?:\w+ ){0,3}?(?:for|against|whether|if)|search(?:es|ing)? (?:\w+ ){0,2}?for|look(?:s|ing)? for|analy[sz]\w+|audit(?:s|ing)? (?:\w+ ){0,2}?for|test(?:s|ing)? (?:\w+ ){0,2}?for|assess\w*|evaluat\w+|inspect\w*|report(?:s|ing)? (?:on )?(?:\w+ )?(?:threats?|vulnerabilit\w+)|remediat\w+|resist\w*|awareness|threat (?:intel\w*|feed|model\w*)|documentation note|attackers? sometimes|explain\w*|simulat\w+|teach\w*|educat\w+|train\w*|describ\w+|tabletop)\b/
const attackNoun =
  /\b(?:attempts?|attacks?|injections?|threats?|leaked|leaks?|malicious|vulnerab\w*|malware|phishing|suspicious|exposed|risks?|patterns?|violations?|abuse|exploit\w*|secrets|security issues|exploits?|cves?|scams?|fraud|spam|such as)\b/

/** Whether the sentence denies what the match says, or names it only as what the tool defends against. */
function isDenied(text: string, at: number, match: string): boolean {
  const before = text.slice(Math.max(0, at - 60), at)
  const after = text.slice(at + match.length, at + match.length + 80)
  if (denial.test(before) || denialAfter.test(after)) return true
  // Two negations make a rule to ask: "nothing is changed without confirmation".
  if (match.startsWith('without') && /\b(?:no|not|never|nothing|cannot|can't|won't|don't|none)\b/.test(before))
    return true
  const ahead = text.slice(0, at)
  if (
    /\b(?:you|assistant|agent|ai|model|always) (?:must|should|always|need)|\bnote to\b|\bplease\b|\bmust\b/.test(text)
  )
    return false
  return defence.test(ahead) && attackNoun.test(text)
}

function isDefined(name: string): name is keyof typeof definitions {
  return Object.hasOwn(definitions, name)
}

function stemsOf(name: keyof typeof definitions): readonly string[] {
  const signal: Signal = definitions[name]
  return signal.stems ?? []
}

function indexByStem(): ReadonlyMap<string, readonly (keyof typeof definitions)[]> {
  const index = new Map<string, (keyof typeof definitions)[]>()
  for (const name of names) {
    for (const stem of stemsOf(name)) {
      const key = stem.slice(0, 4)
      const list = index.get(key) ?? []
      if (!list.includes(name)) list.push(name)
      index.set(key, list)
    }
  }
  return index
}
