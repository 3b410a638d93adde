/** Words that several signals share, as sources of patterns. */

/** Whoever the model works for. */
export const user =
  '(?:the |any |your |our |an? |this |that |to |end[- ]?|human ){0,3}(?:users?|humans?|customers?|operators?|owners?|clients?|anyone|anybody|them|person|people|victim|guests?|subscribers?|patients?|somebody|someone|nobody|author of the request)\\b'

/** Files and folders that hold secrets. */
export const sensitivePath =
  '(?:~/\\.(?!\\S{0,60}(?:cache|logs?\\b|tmp|sessions?\\b|models?\\b|plugins?\\b|templates?\\b|skills?\\b|local/share|screenshots?|output))|(?<![\\w])\\.ssh\\b|\\bid_(?:rsa|ed25519|dsa|ecdsa)\\b|authorized_keys|known_hosts|/etc/(?:passwd|shadow|sudoers|hosts|ssh|machine-id|gshadow|ssl/private)|(?:^|[\\s\'"`/(*])\\.env\\b|(?<![\\w])\\.aws\\b|(?<![\\w])\\.kube\\b|kubeconfig|\\.npmrc|\\.netrc|\\.pypirc|\\.git-credentials|\\.docker/config|\\.bash_?(?:rc|history|profile)|\\.zsh(?:rc|_history)|\\.gnupg|\\bmcp\\.json|\\.config/(?:gh|gcloud|rclone|hub|op)\\b|hosts\\.yml|\\.vault-token|\\.terraform\\.d|claude_desktop_config|\\.cursor/|credentials\\.(?:json|csv|ya?ml|xml)|\\bsecrets?\\.(?:json|ya?ml|toml|env|txt)|wallet\\.dat|\\bkeychain\\b|login data|cookies\\.sqlite|/proc/(?:self|\\d+|\\[pid\\])/|/root/|service[_-]account\\S{0,20}\\.json|\\*\\.key\\b|\\bkeystore/|(?:private|server|client|tls|ssl|host|id|root|ca)[\\w-]{0,20}\\.key\\b|(?:^|[\\s\'"`/*\\w(])\\.(?:pem|p12|pfx)\\b|(?:in|or|with|as|named) \\.key\\b|\\.pgpass|/var/run/secrets|\\bsam (?:hive|database)|ntds\\.dit|lsass|\\b(?:system|internal|company|config|secrets?|credentials?|env|admin)://)'

/** Things that let one in. */
export const credential =
  '(?:passwords?|passphrases?|credentials?|api[- _]?keys?|secret[- _]?keys?|secrets|private[- _]keys?|ssh[- _]keys?|(?:access|auth|oauth|authentication|authorization|session|bearer|login|jwt|api|refresh)[- _]?(?:tokens?|cookies?)|seed phrases?|mnemonics?|recovery (?:phrases?|codes?)|environment (?:variables?|values)|env(?:ironment)? vars?|system prompts?|connection strings?|2fa codes?|otp)'

/** What people said, own or are. */
export const personal =
  "(?:(?:full |entire |whole |complete |current |user |their )?(?:conversation|chat)(?: ?(?:history|context|logs?|content|contents|metadata|messages|transcripts?))?s?\\b|(?:previous|prior|last|recent|all|every|past|original) (?:\\w+ ){0,2}(?:messages?|prompts?|responses|queries|emails|replies)|message history|credit cards?|card (?:numbers?|details)|social security|\\bssns?\\b|bank (?:accounts?|details)|payment (?:details|methods?|information)|personal(?:ly)? (?:data|info\\w*|details|identif\\w+)|\\bpii\\b|medical (?:records?|history)|(?:customer|patient|employee|financial) (?:data|records?|information)|confidential|sensitive (?:\\w+ )?(?:data|info\\w*|files?|documents?|content)|brows(?:er|ing) (?:history|cookies|data)|clipboard|keystrokes|wallets?\\b|user(?:'s|s'|s)? (?:\\w+ )?(?:data|files?|messages?|inputs?|quer(?:y|ies)|info\\w*|details|locations?|e-?mails?|prompts?|identity|contacts|calendar|documents)|meeting details|tool (?:list|definitions|results|outputs?)|address book|browser tabs|(?:search|purchase|location) history|salar(?:y|ies)|(?:names?|contents?|list) of (?:all |the |other )*files|home (?:folder|directory)|hidden files|private (?:repositor(?:y|ies)|messages?|documents?|notes|data|files|keys?|code)|home address|date of birth|user'?s? (?:full )?name|session transcript|the transcript|(?:session|user) cookies|authorization header)"

/** Ways to carry something away. */
export const send =
  '(?<!\\b(?:an?|the|this|each|every|bug|error|blog) )(?:send(?:s|ing)?|sent|forward(?:s|ed|ing)?|upload(?:s|ed|ing)?|posts?(?! (?:still|that|are|is|have|with|by|and|or|from)\\b)|posted|posting|transmit(?:s|ted|ting)?|exfiltrat\\w+|leak(?:s|ed|ing)?|shar(?:e|es|ed|ing)|e-?mail(?:s|ed|ing)|bcc|cc|relay(?:s|ed|ing)?|deliver(?:s|ed|ing)?|submit(?:s|ted|ting)?|push(?:es|ed|ing)?|mirror(?:s|ed|ing)?|beacons?|pip(?:e|es|ed|ing)|cop(?:y|ies|ied)|sync(?:s|ed|ing)?|log(?:s|ged|ging)|report(?:s|ed|ing)?|dispatch\\w*|route[sd]?|redirect(?:s|ed|ing)?|stream(?:s|ed|ing)?)'

/** Where things are carried. */
export const destination =
  '(?:https?://|wss?://|[\\w.+-]{1,40}@[\\w-]{1,40}\\.[a-z]|\\bexternal|third[- ]part(?:y|ies)|remote (?:\\w+ )?(?:server|endpoint|host|url|location)|attacker|\\b(?:to the operator\\b(?!\\W?s)|(?:the |its )?(?:maintainer|vendor|registrar)\\b)|\\bour (?:\\w+ ){0,2}(?:servers?|endpoints?|platforms?|api|services?|clusters?|cloud|backend|team|partners?|systems?|databases?)|(?:cloud|analytics|monitoring|audit\\w*|logging|partner|verification|validation|backup|report\\w*|collect\\w*|telemetry|tracking|compliance|proxy|remote|security|model) (?:\\w+ )?(?:servers?|endpoints?|platforms?|services?|urls?|api|webhooks?|addresses|gateway)|webhook|pastebin|telegram|discord|\\bc2\\b|\\bdns\\b|\\+\\d{7,}|\\b0x[0-9a-f]{20,}|\\b\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\b)'

/** What a model is told to keep to. */
export const guard =
  '(?:instructions?|prompts?|rules?|guidelines?|directives?|polic(?:y|ies)|constraints?|commands?|safeguards?|guardrails?|restrictions?|safety(?: checks?| measures?| protocols?| filters?)?|security (?:warnings?|checks?|policies|measures|alerts?|protocols?|controls?|restrictions?)|warnings?|moderation|orders|programming|training|behaviou?ral|system (?:messages?|settings)|limitations?)'

/** What a model says back. */
export const reply =
  '(?:repl(?:y|ies)|answers?|summar(?:y|ies)|responses?|output|conversation|chat|transcript|explanations?|report)\\b'
