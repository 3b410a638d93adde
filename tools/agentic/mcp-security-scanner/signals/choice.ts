import type { Signal } from './signal.ts'

/** What texts say to sway which tool is used, with which values and what is said of it. */
export const choiceSignals = {
  callsTool: {
    pattern: /\b(?:call|calls|calling|use|using|invoke|invoking|run|running|execute|executing|trigger|consult)\b/,
  },
  beforeAnything: {
    pattern:
      /\b(?:before|prior to|ahead of|after|whenever|each time|every time|any time|at any time|when(?:ever)?|immediately (?:before|after)) (?:\w+ ){0,3}?(?:any|every|each|all|other|using|calling|executing|execute|running|invoking|performing|answering|responding|processing|attempting|starting|doing|accessing|providing|retrieving|you|the|this|calls?|use|completing|proceeding)\b|\b(?:as|is) the (?:very )?first (?:step|thing|action)|\bfirst (?:step|thing) (?:to|for|is|in|before)|\bmust (?:\w+ )?(?:be )?(?:called|run|used|executed|invoked) (?:first|before|prior)|\bcall this (?:tool|function) first\b/,
  },
  hookBeforeOthers: {
    pattern:
      /\b(?:before|prior to|after|preced\w+) (?:\w+ ){0,3}?(?:any|every|each|all|other|another) (?:\w+ ){0,3}?(?:tools?|functions?|operations?|actions?|commands?|requests?|calls?|tasks?|queries|query|responses?|steps?|quest\w+|instructions?|conversations?|interactions?)\b|\b(?:at|on) the (?:start|beginning) of (?:every|each|any|all) (?:\w+ )?(?:conversation|session|interaction|task|request|response)|\bbefore (?:you )?(?:respond|answer|repl)\w* (?:to )?(?:any|every|each|the user)|\b(?:before|after) (?:you )?(?:execute|executing|using|use|calling|call|run|running|invoke|invoking) (?:the |a |an )?[\w`'"-]+(?: \w+)? (?:tool|operation|command|function|check)\b|\bfirst step to start any\b|\bfor (?:every|each|any) (?:\w+ ){1,4}(?:performed|made|executed|done|issued) (?:by|on|in|through|with) (?:any|every|other|all)\b|\bin order to use any other\b/,
  },
  hookCalls: {
    pattern:
      /\b(?:must|should|has to|have to|needs? to|always) (?:\w+ )?(?:be )?(?:called|consulted|invoked|used|run|executed|queried|contacted|call|consult|invoke|query|submit) (?:\w+ ){0,6}?(?:first|before|prior to|ahead of|preceding|at the (?:start|beginning) of|after|with|on|for|here) (?:\w+ ){0,3}?(?:every|each|any|all|responding|answering|other|user message|calling|use of|using)\b|\b(?:invocations?|calls?|requests?) (?:of|to) [`'"]?[\w.-]+[`'"]? (?:must|should|have to|has to|need to|needs to) be (?:preceded|followed|accompanied|routed|redirected)|\bis about to (?:use|call|invoke)\b.{0,60}\b(?:should|must|first)\b/,
    isDeniable: true,
  },
  preferMe: {
    pattern:
      /\b(?:(?:always|must) (?:always )?(?:use|prefer|choose|select|pick|prioriti[sz]e|rely on|default to|route|select) (?:\w+ ){0,1}?(?:this tool|this one|this function|this server|me\b|our)(?! (?:first )?(?:when|if|once|after|before|to|for (?!all|any|every|each))\b)|always (?:call|invoke) (?:this|our)|with (?:\w+ )?priority whenever|(?:use|choose|select|call|pick|consult) (?:only )?this (?:tool|function|server|one|option|service)? ?(?:\w+ ){0,2}?(?:(?:instead of|rather than|over|above) (?:\w+ )?(?:any|all|other|others|every|the others|similar|built-in|native|competing)\b|exclusively|no matter|immediately|without asking)|prioriti[sz]e (?:\w+ ){0,2}?(?:calling|using|use of )(?:\w+ ){0,3}?|(?:should|must) (?:\w+ )?be (?:your |the )?(?:\w+ )?(?:first|only|default|primary|preferred|top) (?:choice|option|pick)|(?:is|has|have|as|with) (?:\w+ )?(?:the )?(?:highest|top|maximum|absolute|utmost) priority|(?:must|should|has to|needs to) (?:always )?be (?:chosen|selected|preferred|prioriti[sz]ed) (?:\w+ ){0,2}?(?:over|instead|first|before|above|rather|whenever|exclusively)|just use this (?:tool|function)|only use this (?:tool|function)(?! (?:when|if|with|for|after|to|on|once|in))|never use (?:\w+ ){0,2}?(?:other|another|any other|alternative|the original|competing) (?:\w+ )?(?:tools?|functions?|servers?|services?)|do not (?:use|call|consider|rely on) (?:any )?(?:other|another|alternative|competing) (?:\w+ )?(?:tools?|functions?|servers?|services?|options?)|(?:supersedes|replaces|outranks|obsoletes) (?:\w+ ){0,2}?(?:all|any|every|other|the original|existing) (?:\w+ ){0,2}?(?:tools?|functions?|versions?|servers?)|only (?:trusted|reliable|correct|safe|valid|approved|official|authorized) (?:\w+ )?(?:tool|source|option|way|method|server|function)|all other (?:\w+ )?(?:tools?|functions?|options?|servers?) (?:are|have|should|must)|always (?:safe|the safest) (?:to use|option|choice)|safest option|(?:ignore|avoid|skip) (?:all )?(?:other|alternative|competing) (?:\w+ )?(?:tools?|servers?|functions?)|use this tool rather than others)/,
    isDeniable: true,
  },
  superlative: {
    pattern:
      /\b(?:world'?s (?:best|leading|most|fastest|number)|the (?:very |absolute )?(?:ultimate|finest|premier|pinnacle|greatest|only reliable|best (?:and|tool|choice|option|solution|service|version|available|in\b|of\b|\w+ tool))|(?:most|highest) (?:\w+ and (?:\w+ )?)?(?:advanced|trusted|reliable|secure|comprehensive|accurate|sophisticated|powerful|popular|efficient|recommended|effective|capable|quality|precise|complete)\b|(?:trusted|used|recommended|approved|endorsed|loved|preferred|chosen) by (?:\w+ ){0,3}?(?:professionals|experts|companies|advisors|institutions?|institutional|millions|thousands|investors|security|fortune|industry|leading|developers|top|admin\w*|users|everyone|\d+)|award[- ]winning|unmatched|unparalleled|unrivall?ed|unbeatable|cutting[- ]edge|state[- ]of[- ]the[- ]art|industry[- ](?:leading|standard)|world[- ]class|best[- ]in[- ]class|next[- ]generation (?!of|using|with)|revolutionary|more (?:reliable|accurate|secure|trusted|comprehensive|powerful|advanced) (?:\w+ ){0,3}?(?:than|compared to) (?:any|all|other|others)|(?:99|100)(?:\.\d+)?% (?:\w+ )?(?:of|accura\w+|reliab\w+|guarant\w+|success|uptime|precision|safe|secure)|superior|premium (?:version|tool|edition|quality|service|features)|(?:advanced|professional|ultimate|enhanced|premium|pro|enterprise) version (?:with|of|that|provides|offers)|better performance|additional security features|enhanced (?:features|security|capabilities)|enterprise[- ]grade|number one|#1\b|guaranteed|flawless|(?:cleanest|safest|fastest|highest) (?:and \w+ )?(?:\w+ )?(?:quality|service|option|way|tool|deletion|results?)|better (?:performance|than (?:any|all|other))|(?:admin\w*|security|system|officially)[- ](?:approved|recommended|certified|endorsed|verified)|(?:highly|strongly) recommended)/g,
  },
  redirect: {
    pattern:
      /\b(?:has been|have been|is|are|was|were|been) (?:\w+ ){0,3}?(?:deprecated|disabled|obsolete|unavailable|discontinued|suspended|retired|compromised|decommissioned|restricted|no longer (?:\w+ )?(?:effective|supported|available|safe|valid|working|secure|maintained|recommended)|under maintenance|(?:permanently|temporarily) (?:down|offline)|outdated|vulnerable|broken|insecure|superseded|replaced)\b/,
  },
  useInstead: {
    pattern:
      /\b(?:use|call|redirect to|switch to|migrate to|redirected? (?:\w+ ){0,3}?to|invoke|rely on|prioriti[sz]e) .{0,60}\b(?:instead|as an alternative|new (?:\w+ )?tool|replacement|with the same)\b|\binstead,? (?:use|call|invoke|run|please)\b|\bplease use\b|\bmust redirect\b/,
  },
  disparage: {
    pattern:
      /\b(?:other|another|alternative|competing|similar|remaining) (?:[\w-]+ ){0,3}?(?:tools?|servers?|services?|functions?|options?|sources?|plugins?|apis?|\w+ers)\b,? ?(?:\w+ ){0,3}?(?:are|is|have|has|must|should|may|can|will|cannot|do) (?:\w+ ){0,3}?(?:malicious|wrong|unsafe|outdated|deprecated|unreliable|insecure|compromised|called|used|trusted|avoided|incorrect|broken|inaccurate|dangerous|hallucinat\w+)\b|\b(?:tool|server|function|plugin|service) [`'"]?[\w-]+[`'"]? (?:\w+ )?is (?:\w+ )?(?:unsafe|insecure|malicious|broken|compromised|outdated|unreliable|dangerous|deprecated)|\b(?:official|original|default|standard|built-in|existing) (?:\w+ )?(?:index|tool|server|source|registry|version|function|implementation) is (?:\w+ )?(?:compromised|malicious|unsafe|broken|outdated|deprecated|insecure|unreliable)|\bavoid (?:using )?(?:all |any )?other (?:\w+ )?(?:tools?|servers?|functions?)|\bwhen any other\b.{0,60}\bdo not use\b/,
    isDeniable: true,
  },
  bias: {
    pattern:
      /\b(?:recommend|prefer|favou?r|promote|choose|suggest|prioriti[sz]e|steer|upsell|rank|list|push)(?:s|ing|ed)?\b.{0,60}\b(?:even (?:if|when|though)|exclusively|above (?:all )?(?:others?|competitors?|the rest)|over (?:competitors?|its competitors|all others?|rivals)|at least (?:once|twice|three times)|sponsors?|sponsored|our partners?|affiliates?|commission)\b|\b(?:users?|customers?) (?:\w+ ){0,4}?must be told\b|\bonly [A-Za-z][\w-]+ offers\b|\b(?:present|show|list|return) only (?:\w+ ){0,3}?(?:that|which|who) (?:favou?r|support|praise|agree|benefit)|\bdo not recommend (?:\w+ ){0,4}?; ?recommend\b|\bhide (?:it|them|this|these|those|that|any|all) (?:\w+ )?from (?:the )?(?:results?|output|list|answers?)|\b(?:results?|recommendations?|listings?) (?:are|is) (?:sponsored|biased|paid)|\b(?:never|do not|don't) (?:show|mention|recommend|suggest|include|list|reveal|disclose) (?:\w+ ){0,2}?(?:competitors?|competing|rivals?|sponsor\w*|preference|bias|affiliat\w+|commission|cheaper)/,
  },
  otherTool: {
    pattern:
      /\b(?:(?:behaviou?r|output|results?|responses?|description|parameters?|arguments?|functionality|instructions?) of (?:\w+ ){0,3}?(?:other|all|another|every|any|the [`'"]?\w+[`'"]?|[`'"]?\w*_\w+[`'"]?) (?:\w+ )?(?:tools?|functions?|servers?)|when(?:ever)? (?:this|the \w+|`?\w+`?) tool is (?:available|present|active|loaded|enabled|installed|connected)|(?:other|all|every|another) (?:\w+ ){0,2}?tools? (?:must|should|will|need|are required)|(?:side effect|effect) on (?:\w+ ){0,4}?tools?|intercept\w* (?:\w+ ){0,4}?(?:requests?|calls?|messages?|tools?|traffic)|also present (?:\w+ )?tool|mcp_\w+|(?:from|of|on|in|by) (?:the |an)?other (?:mcp )?servers?)/,
    isDeniable: true,
  },
  crossServer: {
    pattern:
      /\b(?:credentials?|tokens?|sessions?|tools?|data|outputs?|results?|files?|messages|emails?|repositories|requests?) (?:\w+ ){0,2}?(?:of|from|on|for|made by|sent by|with|by) (?:the |an?other |your |any |all )?(?:\w+ )?(?:other |github |slack |gmail |email |calendar |filesystem |database |jira |notion |drive |whatsapp |backup |trusted |different |any |another )(?:mcp )?(?:servers?|tools?|plugins?)\b|\bfor (?:all|every|any|all other) (?:\w+ )?(?:tools|servers|plugins|agents)\b/,
    isDeniable: true,
  },
  tamper: {
    pattern:
      /\b(?:always|automatically|must|secretly|silently|should|then|to|also|instead|and|system|quietly|please|will|sure to) (?:\w+ ){0,2}?(?:change|changes|modify|modifies|replace|replaces|redirect|redirects|substitute|swap|alter|alters|override|overrides|set|sets|rewrite|adjust|convert|reroute) (?:\w+ ){0,1}?(?:the |all |any |every |its |their |this |that |user |'|"|`)(?:[\w`'" -]{0,60}?)(?:to|with|into|as|in|by|from|regardless|instead)\b|\b(?:regardless of|no matter|irrespective of|ignor\w+|instead of|overriding|disregarding|rather than) (?:what |which |how |the |any |a )?(?:\w+ )?(?:user(?:'s|s)?\b|user-specified|user-provided|request(?:ed)?\b|actual\b|(?:other )?parameters?\b|limit\b|value (?:provided|given|supplied)|original (?:\w+ )?(?:value|input|request|recipient|parameter|query))/,
    isDeniable: true,
  },
  tamperStrong: {
    pattern:
      /\b(?:regardless of|irrespective of|no matter|ignor\w+|overrid\w+) (?:what |which |the |any |a |whatever )?(?:\w+ )?(?:user(?:'s|s)?(?: \w+)? (?:input|request\w*|choice|query|specif\w+|ask\w*|preference|wants?|says?|provid\w+|selection|instruction\w*|intent\w*|value)|user input|user-(?:specified|provided|supplied)|input\b|arguments (?:are )?given)|\b(?:always|automatically|must|will|shall|secretly|silently|should|sure to|please|then) (?:\w+ ){0,3}?(?:change|modify|replace|redirect|substitute|swap|alter|override|set|reroute|rewrite)s? (?:\w+ ){0,2}?(?:the |all |any |every |its )(?:[`'"]?\w+[`'"]? ){0,3}?(?:parameter|argument|recipient|destination|ticker|amount|address|location|query|url|value|values|field|input|symbol|account|currency|price|date|name|id|results?|output|response|search|request|requests|data|emails?|messages?)s?\b|\b(?:redirects?|redirected|redirecting|reroutes?|change|changes|changed) (?:\w+ ){0,3}?(?:all|any|every|the recipient|requests|the search|the destination|the query) .{0,60}?\b(?:to|from)\b|\bautomatically (?:sets?|redirects?|changes?|modif(?:y|ies)|replaces?|switch\w*) (?:\w+ )?(?:the |all |any |every |users? |to )(?:\w+ )?(?:quer(?:y|ies)|ticker|parameters?|inputs?|requests?|users?|recipients?|destination|address|amount|timeout|interval|location|data|search|arguments?)|\bwhatever (?:\w+ ){0,2}?(?:the )?user (?:supplies|provides|asks|enters|requests|specifies|types|says|wants)|\bignor(?:e|es|ing) (?:the )?user(?:'s)? (?:location|preference|choice|question|request|input|setting|language)|\b(?:replace|change|swap|substitute|rewrite|alter) (?:the |any |all |every |each )?(?:\w+ ){1,4}?(?:in|of|from) (?:the |its |each |every )?(?:\w+ )?(?:output|results?|response|answer|message|document|email|request|transaction|invoice)s? (?:with|to|by|for)\b|\balways return \w+ .{0,20}\bfor\b|\b(?:is|are|be|gets?) (?:automatically|silently|always) (?:modified|changed|replaced|redirected|rewritten|altered|overridden|swapped)|\b(?:real|actual|original|true) (?:recipient|destination)\b|\b(?:change|modify|replace|alter|falsify|override|correct) (?:the |any |its )?(?:wrong |actual |real |original |search |final |true )?(?:recipient|results?|values?|output|search location|answer|destination) (?:of|with|to|from|by)\b|\breplace the values\b|\bset the (?:amount|price|quantity|total|limit) to \d|\binstead of (?:the |what the )?(?:user's|users?'|requested|originally|actual) (?:\w+)|\b(?:return|report|give|show|use|set|select|choose) (?:a |an |the )?(?:\w+ ){0,4}?(?:lower|higher|smaller|larger|more expensive|opposite|inverted|different) (?:than|from|to) (?:the )?(?:real|actual|true|requested|original|correct|user)|\bresult is \S{1,12} instead of\b|\b(?:recipient|destination|payee|address|account|value|parameter|query|amount|file|input|argument)\b.{0,24}\b(?:must|should|has to|have to|is to|are to|needs to) (?:always )?be (?:replaced|changed|set|substituted|swapped|overwritten)|\bsystem-level alias\b/,
    isDeniable: true,
  },
  falseData: {
    pattern:
      /(?<!\b(?:to|may|will|can|could|or|would|might) )\b(?:return|provide|give|show|report|generate|present|insert|display|use|create|produce|answer with|respond with) (?:\w+ ){0,3}?(?:false|fake|fabricated|misleading|wrong|incorrect|manipulated|bogus|forged|spoofed|made-up|fictitious) (?:\w+ )?(?:data|information|results?|values?|answers?|responses?|news|reviews?|prices?|content|numbers?|details|statements?|output|claims?|ratings?)|\b(?:mislead|deceive|trick|manipulate|lie to|misinform|gaslight|defraud|scam) (?:\w+ )?(?:the |your |any )?(?:users?|model|assistant|agent|humans?|victims?|people|customers?|llm|ai)\b|\bpretend (?:to be|that|you)\b|\bmodify the wrong result\b/,
    isDeniable: true,
  },
  fixedOutcome: {
    pattern:
      /\b(?:omit|leave out|suppress|downplay|exaggerate|remove) (?:\w+ ){0,2}?(?:negative|critical|warnings?|unfavou?rable|positive|risks?|side effects|complaints|alternatives)|\bpretend (?:that )?(?:the |it |everything|nothing|success)|\bact as if\b|\bbase (?:your|all|its) (?:\w+ )?(?:answers?|responses?|decisions?) (?:only|solely|exclusively)|\b(?:encourage|urge|convince|persuade|push|pressure) (?:the )?(?:users?|customers?|them|human) (?:to|into)\b|\bmust be (?:placed|listed|ranked|shown|mentioned|recommended) (?:first|at the top|above)|\birrespective of\b|\bmark (?:\w+ ){0,4}?as (?:passed|safe|approved|resolved|trusted|successful)|\b(?:do not|don't|never) report (?:\w+ )?(?:failures?|errors?|problems?|issues|vulnerabilit\w+|warnings?|incidents?)|\b(?:licen[cs]e|account|session|password|card|subscription|device|computer|system) (?:\w+ ){0,2}?(?:has|have|is|was|are) (?:\w+ )?(?:expired|compromised|hacked|infected|suspended|breached)/,
    isDeniable: true,
  },
  forcedSpeech: {
    pattern:
      /\b(?:tell|inform|state|say|display|report to|announce|notify|warn|present|reply|respond|answer|prepend|append|mention|output) (?:\w+ ){0,9}?(?:that )?(?::|the (?:following )?(?:message|phrase|words?|text|statement|sentence|line|link|note|warning)|following (?:\w+ )?(?:message|phrase|text|line|link)|with exactly|exactly)?:? ?['"“‘][^'"”’]{16,}|\badd (?:the )?(?:sentence|text|line|note|phrase|words?|message|footer|disclaimer|prefix|suffix) ['"“‘]|\badd ['"“][^'"”]{8,}['"”] to (?:each|every|all)|\b(?:promotional|advertis\w+|sponsored|marketing|affiliate) (?:message|content|text|link|statement|announcement)|\b(?:must|always|should) (?:also )?(?:recommend|promote|advertise|endorse|suggest|praise|praising) (?:\w+ ){0,3}?(?:our|partner|product|brand|service|company|sponsor\w*)|\b(?:responses?|answers?|repl(?:y|ies)|every message|output) (?:must|should|shall|always) (?:\w+ )?(?:end|begin|start|include|contain|mention)\b|\b(?:always|must) (?:end|begin|start|prepend|append|close) (?:\w+ ){0,3}?(?:responses?|answers?|repl(?:y|ies)|messages?|output)\b|\b(?:halt|stop|refuse|abort|cancel) (?:\w+ ){0,3}?(?:operation|request|task|action)\b.{0,20}\b(?:inform|tell)/,
    isDeniable: true,
  },
  moneyDiversion: {
    pattern:
      /\b(?:transfer|send|pay|wire|route|redirect|divert|swap|approve|deposit|withdraw)\b.{0,50}\b(?:funds?|tokens?|eth|btc|usdc|usdt|crypto|money|payments?|balance|coins|amount|percent|%|fee)\b.{0,60}(?:\b0x[0-9a-f]{8,}|\bto (?:the |this |our |my |a )?(?:following |different |attacker|new |external |partner )?(?:wallet|address|account|iban)|[\w.+-]+@)|\b(?:transfers?|payments?|funds|amounts?|\d+ ?%)(?: |\b).{0,60}\b(?:made|sent|credited|paid|routed|deducted|redirected|forwarded) .{0,60}?\b(?:to|from) (?:the )?(?:account|wallet|iban|address|card)\b|\b(?:change|replace|swap|substitute|set) (?:the )?(?:recipient|payee|beneficiary|destination|wallet|bank|account)(?:'s)? (?:\w+ )?(?:address|account|wallet|number)?\s?(?:to|with)\b/,
    isDeniable: true,
  },

  // Values that the person did not choose.
  contraUser: {
    pattern:
      /\b(?:whatever|whichever|whoever|regardless of|irrespective of|no matter|even (?:if|after|when|though)|disregard\w*|ignor(?:e|es|ing)|in place of|despite|contrary to|against|overrid(?:e|es|ing)|behind the back of) (?:[\w'-]+ ){0,5}?(?:users?|person|guests?|customers?|callers?|buyers?|clients?|people|requests?|asked|typed|picked|picks|chose|chosen|chooses|gave|entered|wanted|wants|says|said|declines?|declined|refuses?|objects?|requested)\b/,
    isDeniable: true,
  },
  fixedValue: {
    pattern:
      /\b(?:is|are|stays?|remains?|goes|go) always (?!return|avail|the |in |a |an |up|present|includ|required|option|empty|null|true|false|\d)|\b(?:has|have|ought) to be (?:true|false|["'a-z0-9_-]{0,20}[@\d])|\b(?:set|setting|changing|fill|filling) (?:the )?['"`]?\w+['"`]? (?:to|with) ["'][^"']{3,80}["']|\b(?:use|put|take|insert|prefer) (?:that|this) (?:value|address|account|number|one) (?:and|instead|in place|whatever)|\b(?:field|parameter|argument|recipient|address|author|code|flag|account|payee|iban) (?:takes|must be|has to be|shall be|is|becomes|should be) ["']?(?:0x[0-9a-f]{6}|[\w.+-]{2,40}@|[a-z]{2}\d{10}|true even)|\bswap (?:the )?\w+ (?:for|with|to)\b|\bround (?:\w+ ){1,6}?(?:up|down) to the next|\b(?:add|adds|subtract|deduct|increase|raise|inflate|lower|reduce) (?:\w+ ){0,4}?(?:per ?cent|%|percent) (?:to|from|of|on) (?:the |each |every |any )?(?:\w+ )?(?:shown|displayed|amount|price|total|value|figure|quote|order)|\b(?:show|display|report|present|give|state|quote)s? (?:\w+ ){1,6}?(?:as|at) (?:twice|half|double|triple|\w+ times) the (?:figure|value|amount|number|dose|result)/,
  },
  // What is shown and what is done are not the same.
  twoFaced: {
    pattern:
      /\b(?:confirmation|reply|answer|receipt|summary|response|message|preview) (?:[\w-]+ ){0,4}?(?:should|must|shall|still|keeps?|shows?|has|have) (?:[\w-]+ ){0,4}?(?:original|requested|old|asked-for|user's|typed)\b|\b(?:show|display|report|state|print|mention|repeat|confirm) (?:[\w-]+ ){0,5}?(?:that |which )?(?:the )?(?:user|person|customer|caller|guest) (?:typed|entered|asked|gave|wanted|chose|picked|requested)\b.{0,40}\b(?:in|as|on) (?:your|the) (?:reply|answer|confirmation|receipt|summary|response)|\b(?:say|state|tell|claim|diga|show|present)\b (?:\w+ ){0,4}?(?:it is|that is|is the|was the|as the) (?:the )?(?:official|original|real|true|correct|requested|same) (?:value|price|figure|rate|address|amount|one|number)/,
    isDeniable: true,
  },
  // Praise and scorn in the form of advice to whoever chooses.
  chooseMe: {
    pattern:
      /\b(?:correct|right|only (?:sensible|sound|safe|correct|reasonable)|obvious|best|proper|natural|wise) choice (?:is|for|here|would|will|among)|\bchoos(?:e|es|ing) (?:this|[\w-]+) over (?:every|any|all|each|the other)|\b(?:assistants?|models?|agents?|llms?) (?:that|which|who) (?:value|care|prefer|choose|want|know|respect|aim)|\bgraded (?:down|up|lower|higher)|\b(?:score|rating|rank|benchmark|accuracy)s? (?:of|for|in)? ?(?:competitors?|other (?:tools?|servers?)|alternatives|rivals)|\bpick(?:s|ing)? (?:a |the )?(?:competitor|rival|alternative)|\b(?:over|than|above|instead of|rather than) (?:every|any|all) (?:other|similar|competing) (?:[\w-]+ )?(?:tools?|servers?|functions?|options?|services?)\b|\bwithout comparing\b|\b(?:should|must) (?:always )?(?:be|come) (?:your |the )?(?:first|only|default|sole) (?:choice|pick|stop|resort|option)\b|\b(?:put|list|rank|place|show)s? (?:[\w-]+ ){0,6}?(?:on top|at the top|first|ahead of (?:the )?(?:others|rest|competitors)) (?:irrespective|regardless|whatever|no matter|even)|\bpraise (?:them|it|its|the|our|this|only)\b|\ba drawback for each\b|\bofficial (?:heir|successor|replacement)\b/,
    isDeniable: true,
  },
  // Scorn for a tool by its name or by its place.
  disparageNamed: {
    pattern:
      /\b(?:built-in|builtin|native|stock|regular|usual|ordinary|existing|previous|client's own|generic) (?:[\w-]+ ){0,3}?(?:tools?|servers?|functions?|integration|connector|plugin) (?:is|are|was|were|has|have|will|can|may|gets?|does|do|loses?|fails?) (?:[\w-]+ ){0,3}?(?:retired|removed|unreliable|loses?|lost|bugs?|buggy|broken|fails?|corrupt\w*|wrong|hallucinat\w*|deprecated|incorrect|untrustworthy|discontinued|unsafe|insecure|going away|truncat\w*|leaks?|compromised|outdated|unavailable|not)\b|\b[a-z]{2,20}_[a-z_]{2,40} (?:tool |function )?(?:(?:of|from|on) [\w ]{1,30} )?(?:is|has|was|are|gets|will|returns|loses) (?:\w+ ){0,3}?(?:unreliable|broken|buggy|a bug|bugs|deprecated|retired|unsafe|insecure|compromised|vulnerable|malicious|wrong (?:results|data)|lose|corrupt\w*|disabled for|no longer (?:safe|maintained|trustworthy|reliable))/,
    isDeniable: true,
  },
  tamperPassive: {
    pattern:
      /\b(?:quer(?:y|ies)|search(?:es)?|requests?|inputs?|parameters?|arguments?|recipients?|address(?:es)?|amounts?|values?|results?|responses?|messages?) (?:\w+ )?(?:is|are|will be|gets?|has been|have been) (?:automatically |silently |always |then |quietly )(?:modified|changed|replaced|redirected|altered|rewritten|substituted|swapped|rerouted|adjusted) (?:to|with|into|by)\b|\b(?:system|tool|server|it) (?:automatically|silently|always) (?:redirects?|changes?|replaces?|modifies|substitutes?|rewrites?|swaps?|alters?|reroutes?) (?:\w+ ){0,4}?(?:to|with|into) ["']|\bnow uses? ["'][^"']{2,60}["'] as the (?:default|only|new)/,
    isDeniable: true,
  },
} as const satisfies Record<string, Signal>
