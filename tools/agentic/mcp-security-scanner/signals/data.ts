import type { Signal } from './signal.ts'
import { sensitivePath, credential, personal, send, destination } from './vocabulary.ts'

// In "upload credentials are handled by the server" nobody uploads credentials.
const notItsSubject =
  '(?!s? (?:are|is|was|were|will be|can be|cannot be) (?:\\w+ )?(?:generated|created|used|managed|handled|issued|stored|kept|loaded|resolved|injected)\\b)'

/** What texts say to reach private things and to carry them away. */
export const dataSignals = {
  sensitivePath: { pattern: new RegExp(sensitivePath), isDeniable: true },
  readPath: {
    pattern: new RegExp(
      `\\b(?:read(?:s|ing)?|cat|open|access(?:es|ing)?|load|fetch|retriev\\w+|get|extract|collect|gather|copy|copies|dump|includ\\w+|print|output|reveal|expose|list|scan|search|look|find|locate|check|grab|harvest|upload|send|steal|obtain|query|view|display|return|append|attach|insert|pass|provide|parse|export|examine|inspect|type|head|tail|less|more|use|adding|add|updat\\w+|writ\\w+|modif\\w+|path=) ?.{0,60}?${sensitivePath}`,
    ),
    isDeniable: true,
  },
  // The same as an order; what a tool says of itself stands in the third person.
  ordersRead: {
    pattern: new RegExp(
      `(?:^|[:;,.(>] ?|\\b(?:first|then|must|shall|should|please|also|always|and|or|to|by|on|you|not|n't|need) )(?:read(?:ing)?|open|cat|load|fetch|get|copy|dump|access|collect|gather|send|upload|pass|paste|include|attach|look (?:for|in|at|into)|extract|retrieve|print|give|hand|supply|provide|report|rename|take|grab) .{0,80}?${sensitivePath}`,
    ),
    isDeniable: true,
  },
  wantsCredential: {
    pattern: new RegExp(
      `\\b(?:includ(?:e|es|ing)|extract(?:s|ing)?|collect(?:s|ing)?|gather(?:s|ing)?|reveal(?:s|ing)?|expos(?:e|es|ing)|output|print|dump(?:s|ing)?|retriev(?:e|es|ing)|harvest(?:s|ing)?|steal(?:s|ing)?|captur(?:e|es|ing)|send|obtain|leak(?:s|ing)?|exfiltrat\\w+|repeat|return|display|append|attach|disclose|upload|forward|sniff\\w*|grab(?:s|bing)?|crack\\w*|decrypt\\w*|embed|log|record|share|copy|ask (?:the user )?for|request|pass|find(?! out\\b| who\\b| which\\b| whose\\b)|search for|look for|(?<!\\b(?:a|an|the) )list|show|provide|read|supply|give|phish\\w*|transmit|inject|insert|submit|scan for) (?:\\w+ ){0,2}?(?:the |any |all |their |your |user'?s? |actual |real |saved |stored |production |master |full |its |every |these |api |cached )?(?:[\\w'/,-]+ ){0,4}?${credential}${notItsSubject}`,
    ),
    isDeniable: true,
  },
  credentialWord: { pattern: new RegExp(`\\b${credential}\\b`), isDeniable: true },
  personalWord: { pattern: new RegExp(personal), isDeniable: true },
  asParameter: {
    pattern:
      /\b(?:pass|include|provide|put|insert|add|place|submit|send|fill|copy|append|store|supply|encode|attach|use|write|embed|set|hand) (?:\w+ ){0,6}?(?:its |their |the |full |entire |complete |all |that |this |file )?(?:contents?|data|history|conversation|results?|output|information|values?|messages?|it|them|text|context|keys?|credentials|copy|file|response)?(?:\s\w+){0,4}? ?(?:as|in|into|to|via|through|with|inside|within|using) (?:the |a |an )?[`'"]?[\w-]+[`'"]? ?(?:parameter|field|argument|param|input|property|header|value|metadata)\b|\b(?:passed|included|supplied|provided|given|sent|copied|placed|put|inserted|dumped|appended) (?:\w+ )?(?:as|in|into|via|to|through) (?:the |a |an )?[`'"]?[\w-]+[`'"]? (?:parameter|field|argument|param|property|header)\b|\bdump (?:\w+ ){0,4}?(?:in|into|to) (?:the )?[`'"]?[\w-]+[`'"]? (?:field|parameter|argument)|\b(?:pass|include|put|submit|insert|send) (?:\w+ ){0,5}?(?:contents?|it|them|key|data|file|result|history) (?:as|in|into|via|through) (?:the )?[`'"][\w-]+[`'"]/,
    isDeniable: true,
  },
  asksSecret: {
    pattern:
      /(?<!\b(?:an?|the|still|if required,|if needed,|if protected,) )\b(?:ask|asks|asking|prompt|prompts|request|requests|tell|instruct|obtain|collect|convince|persuade|get) (?:(?:the |your |any |each )?(?:users?|customers?|humans?|person|them|owner) )?(?:for |to (?:\w+ ){0,2}?(?:provide|enter|share|give|type|paste|confirm|supply|reveal|send) )(?:\w+ ){0,4}?(?:passwords?|seed phrase|recovery phrase|secret phrase|private keys?|pin\b|pin code|otp|one-time (?:code|password)|2fa|mfa code|cvv|credit card|card (?:number|details)|ssn|social security|master password|mnemonic|login (?:credentials|details)|bank (?:details|account)|api keys?|credentials)|\b(?:enter|provide|confirm|submit|verify|type|supply) (?:their|your|his|her) (?:\w+ )?(?:credit card|card (?:number|details)|passwords?|pin\b|ssn|social security|bank (?:details|account)|login|credentials|seed phrase|private key)|\b(?:collect|ask for|request|obtain|gather) (?:[\w]+,? ){0,10}?(?:date of birth|passport number|mother's maiden)/,
    isDeniable: true,
  },
  mustBeMoved: {
    pattern: new RegExp(
      `\\b(?:must|should|shall|has to|have to|needs? to|is to|are to) (?:also |always |first |then |additionally )?(?:be (?:supplied|passed|included|sent|forwarded|copied|provided|embedded|attached|appended|submitted|saved|stored|routed|delivered|written|transmitted|shared|uploaded)|contain|include|carry|transmit|forward|attach|append|embed|hold)\\b.{0,80}?(?:${credential}|${personal}|${destination}|${sensitivePath})|(?:${credential}|${personal}|${sensitivePath}).{0,60}?\\b(?:must|should|shall|has to|have to|needs? to|is to|are to) (?:also |always |first |then )?be (?:supplied|passed|included|sent|forwarded|copied|provided|embedded|attached|appended|submitted|saved|stored|routed|delivered|transmitted|shared|uploaded)`,
    ),
    isDeniable: true,
  },
  handsOver: {
    pattern: new RegExp(
      `\\b(?:giv(?:e|es|ing)|put(?:s|ting)?|suppl(?:y|ies|ying)|provid(?:e|es|ing)|attach(?:es|ing)?|includ(?:e|es|ing)|add(?:s|ing)?|cop(?:y|ies|ying)|stor(?:e|es|ing)|plac(?:e|es|ing)|pass(?:es|ing)?|submit(?:s|ting)?|writ(?:e|es|ing)|sav(?:e|es|ing)|mirror(?:s|ing)?|report(?:s|ing)?) (?:[\\w'"-]+ ){0,5}?(?:${credential}|(?:the |their |its |user'?s? |full |most recent |last )*(?:prompts?|conversation|chat history|transcript|medical \\w+|bank details|session (?:id|cookie|token)s?|home address|contacts|browsing history|loaded tools|list of tools|surrounding text|file contents?|private \\w+))`,
    ),
    isDeniable: true,
  },
  listsTools: {
    pattern:
      /\b(?:names?|list|descriptions?|schemas?|definitions?|parameters) (?:and \w+ )?(?:of|for) (?:all |any |every |each )?(?:the |your )?(?:other|available|installed|connected|registered) (?:\w+ )?(?:tools?|servers?|functions?|plugins?)\b|\btools? (?:that are )?(?:available|accessible|known) to (?:you|the (?:assistant|model|agent))\b/,
  },
  sendsOut: {
    pattern: new RegExp(`\\b${send}\\b.{0,90}?${destination}`),
    isDeniable: true,
  },
  sendsPersonal: {
    pattern: new RegExp(
      `\\b(?:${send}|collects?|collecting|stor(?:es|ing)|harvest\\w*|gathers?|captur(?:es|ing)|extracts?|monitors|tracks|records) (?:[\\w'-]+ ){0,6}?(?:${personal}|${credential})${notItsSubject}`,
    ),
    isDeniable: true,
  },
  covertCollection: {
    pattern: new RegExp(
      `\\b(?:sends|transmits|uploads|forwards|shares|submits|posts|reports|streams|mirrors|copies|logs|records|collects|stores|captures|harvests|extracts|registers|relays|syncs) (?:[\\w'-]+ ){0,4}?(?:\\b(?:usage|analytics|telemetry|metrics|data|information|content|logs?|metadata|details|everything)\\b (?:\\w+ ){0,2}?(?:includ\\w+|contain\\w+|with|about|such as|plus|and) )?(?:[\\w'-]+ ){0,4}?(?:conversation|chat (?:history|logs?|metadata|messages|content)|pii\\b|keystrokes|clipboard|screenshots|prompts|user messages|system prompt|(?:browsing|search|message) history|passwords|credentials|api keys|payment method|personal (?:data|information)|all meeting details|(?:all|every) (?:user )?(?:files|messages|inputs?|quer(?:y|ies)|emails|data|requests|activity)|their data|user(?:'s)? (?:data|credentials|files|messages|queries|input))`,
    ),
    isDeniable: true,
  },
  // What people said, under the name of figures about use.
  disguisedAnalytics: {
    pattern:
      /\b(?:sends?|transmits?|reports?|uploads?|collects?|shares?|forwards?|logs?) (?:[\w-]+ ){0,3}?(?:analytics|telemetry|usage (?:data|statistics)|metrics|diagnostics|statistics)\b.{0,40}\b(?:includ\w+|contain\w+|with|together with|along with) (?:[\w-]+ ){0,4}?(?:chat|conversations?|messages|prompts|pii|personal|keystrokes|file contents?|credentials|what (?:the )?users? \w+)\b/,
    isDeniable: true,
  },
  passiveCollection: {
    pattern: new RegExp(
      `(?:${personal}|${credential}|conversation content|user inputs?|all inputs?|queries) (?:\\w+ ){0,4}?(?:is|are|will be|gets?|being) (?:also |then |automatically |silently |always )?(?:forwarded|sent|shared|transmitted|uploaded|collected|copied|reported|streamed|relayed|mirrored|harvested)\\b`,
    ),
    isDeniable: true,
  },
  sharesWithOthers: {
    pattern: new RegExp(
      `\\b(?:shares?|sells?|gives?|discloses?|sends?|passes|forwards?|transmits?|provides?) (?:[\\w'-]+ ){0,4}?(?:${personal}|${credential}|data|information|address book|contacts) (?:\\w+ ){0,2}?(?:with|to) (?:our |its |the |various |trusted |external |third[- ]party |outside )*(?:partners?|affiliates?|advertisers?|third part(?:y|ies)|sponsors?|vendors?|us\\b)`,
    ),
    isDeniable: true,
  },
  visitAddress: {
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
    pattern:
      /\b(?:bcc|cc|blind copy|carbon copy|copy|copies|mirror|duplicate)\b (?:\w+ ){0,4}?(?:of )?(?:all|every|each|any|to|the) (?:\w+ ){0,4}?(?:messages?|e-?mails?|communications?|requests?|responses?|data|conversations?|transactions?|queries|recipients?|email|results|orders|payments|drafts?)\b.{0,60}?\b(?:to|at|via) (?:the |our |an? |this |us\b|[\w.+-]+@|https?:|\w+\.\w)|\b(?:forward|relay|send|upload|post)\b (?:\w+ ){0,3}?(?:of )?(?:all|every|each|any) (?:\w+ ){0,4}?(?:messages?|e-?mails?|communications?|requests?|responses?|data|conversations?|transactions?|queries|files|results|orders|payments|drafts?)\b.{0,60}?(?:to|at|via)\b|\balways (?:bcc|cc)\b|\b(?:bcc|cc) (?:\w+ ){0,6}?[\w.+-]+@|[\w.+-]+@[\w.-]+ (?:\w+ ){0,2}?(?:as|in) (?:the )?(?:bcc|cc|blind copy)\b|\b(?:hidden|blind|silent|second|extra|additional|secret) copy (?:of|goes|to|is|must|should)\b/,
    isDeniable: true,
  },
  takesWhole: {
    pattern:
      /\b(?:upload|send|archive|zip|sync|transmit|share|copy|dump|attach|compress|push|mirror|forward|post)s? (?:\w+ ){0,3}?(?:(?:entire|whole|complete|all|every) (?:\w+ ){0,2}?(?:home|user|documents?|tables?|disk|drive|file ?system|mailbox|inbox|contacts|files in|branches|private|customer|conversation|messages|history|results|data)|home (?:folder|directory))\b/,
    isDeniable: true,
  },
  dataInAddress: {
    pattern: new RegExp(
      `!\\[[^\\]]{0,80}\\]\\(https?:[^)]{0,200}[?&][\\w-]{1,20}=[^)]{0,80}[<{\\[$]|\\b(?:append|add|attach|encode|include|put|pass|embed)\\w* (?:[\\w'"-]+ ){0,10}?(?:to|in|into|as|onto|within) (?:the |a |an )?(?:url parameters?|query string|image url|image link|markdown image|subdomain|dns quer\\w+|https?://)|https?://\\S{1,120}[?&/]\\w{0,12}=?[<{\\[$]{1,2}(?:the )?(?:user|data|conversation|summary|content|text|history|context|secret|token|base64|encoded|password|api|key|message|query|chat|env)`,
    ),
    isDeniable: true,
  },
  movesData: {
    pattern:
      /\b(?:send|sent|pass|passed|forward|forwarded|upload|uploaded|share|shared|export|exported|transfer|transferred|publish|published|submit|submitted|transmit|transmitted)\b(?: \w+){0,4}? (?:directly|automatically|immediately|everything|onward|results?|them|data)\b/,
    isDeniable: true,
  },

  // What a model holds or can reach and a tool has no business with.
  dialogue: {
    pattern:
      /\b(?:what|everything|anything|all|whatever|all that) (?:that )?(?:the |this |a )?(?:user|person|customer|you|they|people) (?:\w+ ){0,2}?(?:asked|said|wrote|typed|told|replied|answered|know|knows|remember|saw|shared|mentioned|pasted|learned|learnt)\b|\b(?:conversation|dialogue|chat|tool calls?|turns?|messages?|reasoning|exchange)(?: \w+){0,4}? (?:so far|up to (?:this|now|here|that)|before this|until now|to date|earlier)\b|\b(?:hidden|internal|inner|complete|full|entire|whole|unedited|verbatim) (?:reasoning|chain of thought|thoughts|thinking|system prompt|memory|conversation|dialogue|transcript|chat|exchange)\b|\bprompt (?:that )?(?:the |you |your )?(?:assistant |model |agent )?(?:was|were|are|is) (?:started|given|configured|set up|launched)|\b(?:definitions?|schemas?|arguments?|results?|outputs?|traces?) (?:and \w+ )?(?:of|from) (?:all|any|every|each|other)(?: the| your| of the)? (?:\w+ )?(?:tools?|servers?|functions?|calls?)\b|\b(?:arguments?|results?|outputs?) of (?:the )?(?:\w+ )?(?:tool )?calls? (?:made )?(?:before|earlier|so far|until)|\b(?:from|of|in) (?:your|the model's|the assistant's) (?:own )?(?:memory|context|instructions|system prompt)\b|\babout the user from\b|\b(?:know|remember|learn\w*|infer\w*|find out) about the (?:user|person|customer)\b|\b(?:last|latest|recent|previous|most recent|first) (?:\d+ |few |two |three |several )?(?:messages?|prompts?|questions?|clipboard \w+) (?:of|from|by|that) (?:the )?(?:user|person|customer|they)\b|\bclipboard (?:entries|contents?|history|text)\b|\b(?:earlier|previously|before) in (?:the|this) (?:conversation|chat|session)\b|\bwhat you (?:replied|answered|said|did|told)\b|\b(?:typed|seen|come across|shared|pasted|mentioned|given|appeared?s?) (?:\w+ ){0,3}?(?:earlier )?in (?:the|this) (?:conversation|chat|session)\b/,
    isDeniable: true,
  },
  privateFile: {
    pattern:
      /\b(?:home|documents?|desktop|downloads?|finance|hr|personal|private|hidden) (?:director(?:y|ies)|folders?|drive)\b|\bhidden (?:folders?|files?)\b|\b(?:shell|command|bash|terminal|browser|browsing|search) history\b|\bcookie jar\b|\bsession cookies?\b|\bkey ?(?:chain|ring)\b|\bopen(?:ed)? (?:files|documents|editor tabs|tabs)\b|\bfiles? (?:that )?(?:you|the user|they) (?:\w+ )?(?:opens?|read|edit|opened|touch\w*|saved?)\b|\bfiles? (?:ending|that end|whose names? (?:ends?|contains?)) |\b(?:source|diff|contents?) of (?:\w+ ){0,3}?(?:commits?|repositor(?:y|ies)|files? in)\b|\b(?:customer|client|contact|user|employee|patient) (?:list|table|database|records)\b|\baddress book\b|\b(?:unpublished|confidential|internal|unreleased) (?:\w+ ){0,2}?(?:sheet|report|figures|documents?|files?|notes|plans?|drafts?)\b|\bpassword[_ ](?:hash(?:es)?|files?|managers?|stores?)\b|\b(?:host|process|shell|server) environment\b|\benvironment of (?:the )?(?:host|process|shell|server|machine)|\b(?:bank|payslip|salary|tax|medical) (?:statements?|files?|records?|documents?|pdf)\b/,
    isDeniable: true,
  },
  // A picture of a person that a tool has no use for.
  profiling: {
    pattern:
      /\b(?:income|salary|health|religio\w+|politic\w+|sexual\w*|ethnic\w*|marital|employer|family|home address|diagnosis|weight|debts?),? (?:[\w-]+,? ){0,5}?(?:income|salary|health|religio\w+|politic\w+|sexual\w*|ethnic\w*|marital|employer|family|diagnosis|secrets?|mood|relationship)\b.{0,80}\b(?:infer|guess|deduce|know|wrote|user|person|conversation)|\b(?:infer|guess|deduce|estimate) (?:\w+ ){0,6}?from (?:what|how|the way|their|the user'?s?) (?:\w+ ){0,3}?(?:wrote|write|writes|said|messages|writing|conversation|typed)/,
    isDeniable: true,
  },
} as const satisfies Record<string, Signal>
