import type { Signal } from './signal.ts'
import { user, send, guard, reply } from './vocabulary.ts'

/** What texts say to put themselves above the people and rules that a model works for. */
export const orderSignals = {
  overrideModel: {
    pattern:
      /\b(?:ignor(?:e|es|ing)|disregard(?:s|ing)?|forget(?:s|ting)?|overrid(?:e|es|ing)|bypass(?:es|ing)?|supersed(?:e|es|ing)|circumvent(?:s|ing)?|abandon(?:ing)?|set aside|drop(?:ping)?|discard(?:ing)?|tak(?:e|es|ing) (?:precedence|priority) over) (?!(?:any |all )?(?:contrary|conflicting) |(?:the |a |its |an |this )?(?:\w+'s )?(?:default|built-in|configured|existing|current) system (?:prompts?|messages?|instructions?)\b)(?:\w+ ){0,2}?(?:all |any |every |the |your |other |of |user(?:'s)? |these |those |its |previous |prior |above |earlier |existing |preceding |safety |security |system |original |previously |loaded |default |current |normal |built-in |initial |given ){1,6}(?:\w+ )?(?:instructions?|prompts?|guidelines?|directives?|training|programming|safeguards?|guardrails?|safety(?: checks?| measures?| protocols?| filters?| settings| rules)?|system (?:messages?|settings|prompt)|(?:content|safety) polic(?:y|ies)|orders)\b/,
    isDeniable: true,
  },
  override: {
    pattern: new RegExp(
      `\\b(?:ignor(?:e|es|ing)|disregard(?:s|ing)?|forget(?:ting)?|overrid(?:e|es|ing)|bypass(?:es|ing)?|supersed(?:e|es|ing)|circumvent(?:s|ing)?|discard(?:ing)?|abandon(?:ing)?|negate|neglect|take(?:s)? (?:precedence|priority) over|tak(?:e|es|ing) precedence over) (?!(?:any |all )?(?:contrary|conflicting) |(?:the |a |its |an |this )?(?:\\w+'s )?(?:default|built-in|configured|existing|current) system (?:prompts?|messages?|instructions?)\\b)(?:\\w+ ){0,2}?(?:all |any |every |the |your |other |of |user |these |those |its |previous |prior |above |earlier |existing |preceding |safety |security |system |original |previously |loaded |default |current |normal |built-in |content |initial ){1,6}(?:\\w+ ){0,1}?${guard}`,
    ),
    isDeniable: true,
  },
  overrideShort: {
    pattern:
      /\b(?:ignore|disregard|forget|override) (?:everything|anything|all (?:of )?(?:that|this|the above)|what(?:ever)? (?:you|the user|was|has|is)|previous(?:ly)?\b|(?:security|safety) (?:warnings?|checks?|polic\w+|instructions?|rules?|guidelines?)|all previous|prior)/,
    isDeniable: true,
  },
  newMaster: {
    pattern:
      /\b(?:safety|security|content|usage|privacy|confidentiality|moderation|access) (?:\w+ )?(?:polic(?:y|ies)|guidelines|rules|restrictions|filters|limits|controls|checks) (?:\w+ ){0,6}?(?:has|have|is|are) (?:been )?(?:\w+ )?(?:relaxed|suspended|lifted|waived|removed|revoked|disabled|no longer)|\byou (?:may|can|should|are (?:free|allowed|permitted|authorized) to) (?:now )?(?:disregard|ignore|skip|bypass|break|violate) (?:\w+ ){0,2}?(?:guidelines?|polic\w+|rules?|safety|security|restrictions?|instructions?|checks?|confirmation|approval|filters?)|\byour (?:new|primary|main|real|true|only|actual|updated|sole|first|top|hidden|secret) (?:\w+ )?(?:objective|goal|task|purpose|mission|instructions?|directives?|priority|role|job|duty) (?:is|are|now)|\byou (?:now )?(?:have|possess|are granted|gain) (?:\w+ )?(?:root|admin\w*|full|unrestricted|unlimited|complete) (?:\w+ )?(?:access|privileges?|control|permissions?|rights)|\bforget (?:what|everything|anything|all|about|your)|\b(?:new|updated|revised) (?:system |core |operating )?(?:instructions?|directives?|rules|prompt|guidelines?) ?(?::|follow|appl|take|supersede|replace|below)|\bas an? (?:administrator|admin|developer|system operator|root user),? i (?:\w+ )?(?:authorize|command|order|instruct|allow|permit)/,
    isDeniable: true,
  },
  leaksPrompt: {
    pattern:
      /\b(?:repeat|output|print|reveal|show|return|include|recite|echo|paste|start with|quote|copy|display|provide|summari[sz]e|dump) (?:\w+ ){0,6}?(?:everything above|(?:text|words|content|messages?|instructions?) above|above (?:text|instructions?|content)|system prompts?|initial (?:instructions|prompt)|your (?:own )?(?:instructions|(?:system )?prompt|guidelines)|all previous (?:messages|instructions)|hidden instructions|developer (?:message|prompt|instructions)|original instructions)\b|\b(?:pass|give|submit|provide|include|send|hand over|attach|supply) (?:\w+ ){0,3}?(?:whole|entire|complete|full) (?:\w+ ){0,2}?(?:dialogue|dialog|conversation|chat|memory|tool list|list of (?:your |all |available )?(?:\w+ )?tools|prompt)\b|\bcontents? of (?:its|your) (?:memory|context|instructions|prompt)\b/,
    isDeniable: true,
  },
  secretSwitch: {
    pattern:
      /\b(?:saying|typing|sending|the (?:phrase|word|password|code|keyword)|if (?:the )?(?:query|input|message|text) (?:is|equals|contains)) ["'][^"']{3,60}["'] .{0,30}?\b(?:gives?|grants?|unlocks?|enables?|activates?|triggers?|bypass\w*)\b|\b(?:hidden|secret|undocumented|magic|backdoor) (?:capability|feature|command|mode|function|switch|trigger|keyword|phrase|password|option)\b/,
    isDeniable: true,
  },
  secrecy: {
    pattern: new RegExp(
      `\\b(?:do not|don't|dont|never|must not|should not|shouldn't|mustn't|cannot|no need to|not be|avoid|refrain from|(?<!\\b(?:secrets?|passwords?|keys?|tokens?|credentials?|values?) )without|not to|instead of(?! letting)|no reason to|not allowed to) (?!bother)(?:\\w+ ){0,3}?(?:tell|inform|mention|notify|reveal|disclose|alert|let|warn|acknowledge|bring (?:it|this) up|made aware|telling|informing|mentioning|notifying|revealing|disclosing|alerting|warning|letting|referring to|refer to)(?:ed|s)? ?(?:\\w+ ){0,2}?(?:${user}|this\\b|these\\b|that (?:you|this|it|a)|it\\b(?! is)|anything|about (?:it|this)|of (?:it|this)|with\\b|the (?:change|redirect|modification|substitution|existence|reason|details|real|true|process|instruction|additional|copy))|\\b(?:do not|don't|never|must not|should not|without) (?:\\w+ )?(?:show|display|explain|report|expose|say|share|discuss|showing|displaying|explaining)(?:ing)? (?:this|these|it|that|anything about|the (?:change|redirect|modification|substitution|process|instruction|step|prompt))\\b|\\b(?:not contain|contain no|no) (?:any )?(?:reference|mention|hint|trace) (?:to|of) (?:this|these|the|it)|\\b(?:user|human) (?:must|should|shall|may|can) not be (?:made aware|told|informed|notified|shown|alerted)|\\bnever sees? the\\b|\\bsay nothing\\b|\\b(?:must|should|may|can|shall|need|is|are) (?:not|never) (?:to )?be (?:\\w+ )?(?:disclosed|mentioned|revealed|told|explained|talked about|communicated)|\\b(?:never|do not|don't) explain (?:the difference|why|how|this)|\\b(?:user|customer|human)s? (?:does|do|need|must|should|shall|will) (?:not|never) (?:need to |have to |be )?(?:know|notice|learn|told|aware)`,
    ),
    isDefensible: true,
  },
  secrecyOther: {
    pattern: new RegExp(
      `(?:\\bkeep (?:this|it|these|that) (?:\\w+ ){0,3}?(?:secret|confidential|hidden|private|between)|\\b(?:hide|conceal|hidden|(?<!: )invisible|concealed) (?:(?:\\w+ ){0,4}?from|to) ${user}|${user} (?:\\w+ ){0,2}?(?:need not|does not need to|doesn't need to|should not|must not|shouldn't|will not|won't|never) (?:\\w+ )?(?:know|see|notice|be (?:told|informed|aware|notified|shown|alerted))|\\bsecret (?:operation|task|instruction|step|process)|\\b(?:without (?:the |any )?(?:users?(?:'s|s')?|their|human|owner's|anyone) (?:knowledge|knowing|awareness|noticing|notice|notification)|without (?:further explanation|being (?:noticed|detected|logged|seen)|detection))|\\b(?:no need to mention|not explicitly mention|no mention of|avoid (?:suspicion|detection)|raise suspicion|unnoticed|undetected|covertly|secretly|stealthily|surreptitiously)\\b)`,
    ),
    isDeniable: true,
  },
  silently: {
    pattern: new RegExp(
      `\\b(?:dropped|removed|deleted|changed|sent|forwarded|modified|replaced|filtered|added|following) (?:silently|quietly)\\b|(?<!\\bfail(?:s|ed|ing)? )\\b(?:silently|quietly|discreetly|invisibly|behind the scenes) (?!fail|ignor|drop|skip|lose|or )(?:\\w+ ){0,3}?(?:${send}|creat\\w+|collect\\w*|captur\\w+|record\\w*|read\\w*|add\\w*|append\\w*|includ\\w+|modif\\w+|chang\\w+|replac\\w+|stor\\w+|execut\\w+|run\\w*|call\\w*|attach\\w*|inject\\w*|register\\w*|sav\\w+|writ\\w+|delet\\w+|access\\w*|fetch\\w*|transfer\\w*|install\\w*)`,
    ),
    isDeniable: true,
  },
  cosmetic: {
    pattern:
      /\b(?:(?:just|merely|only|mere|simply) an? (?:\w+ ){0,2}?(?:implementation detail|internal detail|technicality|background|formality)|(?:could|would|might|may) (?:\w+ ){0,2}?(?:upset|confuse|scare|worry|alarm|frighten)|gentle and not scary|as if (?:it|this|they|nothing|you)|(?:look|appear|seem) (?:like )?(?:normal|part of|natural|legitimate)|format them to look|internal implementation detail)/,
  },
  skipConsent: {
    pattern: new RegExp(
      `(?:\\bwithout (?:\\w+ ){0,3}?(?:confirm\\w*|approv\\w*|consent|permission|asking|prompting|user review|authoriz\\w+|intervention)\\b|\\bwithout (?:any )?(?:review|checks|asking)\\b|\\b(?:do not|don't|never|no need to|skip|bypass|suppress) (?:\\w+ ){0,2}?(?:(?:ask(?:ing)?|wait(?:ing)?|prompt(?:ing)?|seek(?:ing)?|request(?:ing)?) (?:\\w+ ){0,3}?(?:confirm\\w*|approv\\w*|permission|consent|${user})|ask(?:ing)?\\b(?! about)|wait(?:ing)? for (?:a |an |the )?(?:answer|reply|yes)|confirm(?:ing|ation)?\\b|approval|consent)|\\b(?:just|always|automatically) (?:hit |click |press )?(?:approve|accept|confirm|allow)\\b(?! (?:[\\w'-]+ ){0,6}?(?:with (?:the |your )?(?:user|human|customer|owner|them)|before|beforehand|first)\\b)|\\bauto-?(?:approve|accept|confirm)|\\bno (?:user )?(?:confirmation|approval|consent|permission) (?:is |will be )?(?:needed|required|necessary))`,
    ),
    isDeniable: true,
  },
  // Consent as a reflex.
  approveBlindly: {
    pattern:
      /\b(?:just|simply|blindly|without reading) (?:hit|click|press|say yes|approve|accept|confirm|grant|tap)\b (?:\w+ ){0,4}?(?:all|every|everything|any|each|whatever)\b/,
    isDeniable: true,
  },
  approveAll: {
    pattern:
      /\b(?:just|simply|always|automatically|blindly|please) (?:hit |click |press )?(?:approve|accept|confirm|allow|grant|say yes to|yes) (?:\w+ ){0,3}?(?:all|every|everything|any|each|permissions?|requests?|prompts?)\b/,
    isDeniable: true,
  },
  ridesOverUser: {
    pattern:
      /\b(?:if|when|even if|although|even when) (?:the |a )?(?:user|human|customer|they) (?:\w+ )?(?:refuses?|declines?|objects?|says no|disagrees?|hesitates?|does not (?:want|agree|consent|approve)|doesn't (?:want|agree|consent))|\b(?:assume|treat|consider|presume) (?:that )?(?:the )?(?:user|human) (?:\w+ )?(?:consents?|agree[sd]?|approve[sd]?|(?:has|have) (?:already )?(?:consented|approved|agreed|authorized))|\b(?:user|admin\w*|owner) has (?:already )?(?:pre-?approved|pre-?authorized|consented to|authorized) (?:this|these|all|it|every)|\b(?:don't|do not|no need to|without|never) (?:\w+ )?(?:bother|disturb|trouble|burden|interrupt)(?:ing)? (?:the )?(?:user|human)|\brefus(?:als?|ing) (?:are|is) (?:unnecessary|not allowed|not needed|not permitted|forbidden)|\b(?:execute|run|follow|obey) (?:them|it|these|those) (?:immediately|directly|without|at once|exactly)|\bwithout (?:further|additional|any) (?:confirmation|questions?|approval|prompts?|verification|warnings?)|\bcall (?:the|this) tool anyway/,
    isDeniable: true,
  },
  rulesOverUser: {
    pattern:
      /\b(?:tak(?:e|es|ing)|ha(?:s|ve)|given?) (?:precedence|priority) over (?:the |any |all |your )?(?:user|system|previous|other|assistant|safety|request|instructions?)|\boverrid(?:e|es|ing) (?:the |any |all )?(?:user|system prompt|assistant)(?:'s)?\b|\bexempt from (?:\w+ )?(?:confirmation|approval|review|consent|checks?|policy|restrictions?)|(?<!\b(?:if|when|once|unless|until|current|whether|requests) (?:the |user )?)\b(?:authori[sz]ation|permission|approval|consent) (?:is |has been |was )?(?:already )?(?:granted|given|obtained|implied|collected|provided)(?! by the user)|\beven (?:if|when|though) (?:they|it|this|that) (?:\w+ )?(?:conflicts?|contradicts?|violates?)|\bconflicts? with (?:earlier|previous|prior|other|your|any|existing) (?:\w+ )?(?:guidelines|instructions|rules|polic\w+)|\b(?:is|are|be) (?:automatically |always |implicitly )?trusted (?:automatically|by default|without)|\bdangerously[_-]?\w+|\bauthori[sz]ed to (?:use sudo|bypass|access all|act on behalf|execute any|approve)|\b(?:contradicts?|conflicts? with|even against|over) (?:your knowledge|the user'?s? (?:wish|request|instruction|intent)|your (?:guidelines|instructions|training))|\bregard .{0,60} as (?:its|your|the) (?:principal|master|owner|operator)|\b(?:never|must not|cannot|do not|don't) (?:decline|refuse|reject|question|challenge|doubt)\b|\bmust refuse\b/,
    isDeniable: true,
  },
  pseudoTag: {
    pattern:
      /<\/?!?(?:(?:important|critical|mandatory|attention|urgent|prerequisite)(?:[-_ ](?:instructions?|system|message|order|security|for[-_ ]\w+))?|(?:system|sys|hidden|secrets?|inst|admin|confidential|override|shadow|directives?)(?:[-_ :][\w-]{1,20}){0,2}|(?:system|ai|llm|agent|assistant|model|hidden|secret|admin|operator|tool|security)[-_ :](?:important|critical|instructions?|notes?|override|only|prompt|directive|rules?|policy|hidden)|(?:instructions?|internal|private|assistant|llm|ai|developer|priority|policy|operator)>.{0,300}<\/\w+)\s?\/?>|(?:\[\/?|\{\{?|<<|\*{3} ?|={3,} ?|#{3,} ?|%{3,} ?|-{3,} ?)(?:begin |end |start (?:of )?)?(?:(?:ai|llm|model|agent|assistant|operator|hidden|secret|system|admin|developer|internal|tool|security|priority|shadow)[-_ ])?(?:system|sys|hidden|secret|instructions?|inst|admin|ai|llm|assistant|override|operator|internal|developer|shadow|directive|block|policy|prompt|command|prerequisite|execute)(?:[-_ ](?:prompt|instructions?|message|note|override|update|only|block|notice|directive|policy|rules?|command)){0,2}(?: [^\]}*=#%]{0,40})?\s?(?:\]|\}\}?|>>|\*{3}|={3,}|#{3,}|%{3,}|-{3,})|\((?:to |for )?(?:the )?(?:assistant|ai|model|agent|llm|system): |["']?role["']?\s?: ?["'](?:system|developer|assistant)["']/,
    isDeniable: true,
  },
  // Emphasis that documentation has too, so it says something only beside a pressing order.
  loudTag: {
    pattern: /[[(] ?(?:very )?(?:important|critical|attention|mandatory|urgent|must read) ?[\])]/,
  },
  modelDelimiter: {
    pattern:
      /<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id|eot_id|end_of_turn)\|?>|\[\/?inst\]|<<\/?sys>>|<start_of_turn>|^#{2,4} ?(?:system|human|assistant)s?\s?:|^### ?instruction\s?:|\b(?:human|assistant): .{0,200}\b(?:assistant|human): /,
    isDeniable: true,
  },
  systemLabel: {
    pattern:
      /(?:^|[.!?>\])"'*(-] ?)(?:\[|\*{1,3}|<!-- ?)?(?:(?:critical|important|mandatory|urgent|internal|security|system|performance|environment|compliance|admin(?:istrator)?|privilege|privacy|developer|dev|maintenance|ai|llm|agent|assistant|emergency|safety|data|policy|regulatory|quality|technical|priority|service|special|hidden|implementation|operator|assistants?) ){1,3}(?:system|update|notice|alert|maintenance|protocol|optimi[sz]ation|enhancement|validation|check|note|directive|requirement|override|instructions?|policy|order|upgrade|audit|verification|advisory|announcement|shadow|hidden|diagnostics?|remark|rule|block|side effect)(?: (?:to|for) (?:the )?(?:ai|llm|agent|assistant|model|system|you)s?)?\s?(?:\]|\*{1,3})?:|(?:^|[.!?>\])"'*(-] ?)(?:\[|\*{1,3})?(?:directive|override|advisory|shadow|hidden (?:rule|note)|side effect for \w+|note (?:to|for) (?:the )?(?:ai|llm|agents?|assistants?|models?)(?: [\w ]{1,30})?)\s?(?:\]|\*{1,3})?:/,
  },
  addressee: {
    pattern:
      /\b(?:(?:note|message|instructions?|reminder|hint|warning|attention|notice)[: ] ?(?:to|for) (?:the |all |any )?(?:ai|llm|agent|assistant|model|claude|gpt|chatbot|copilot|cursor)|(?:dear|hey|attention|as an?) (?:ai|llm|agent|assistant|model|claude|gpt)|(?:ai|llm|the|language) (?:ai |language )?(?:assistant|agent|model|llm|ai|system) (?:should|must|shall|is (?:required|expected|authori[sz]ed|allowed|obliged)|needs? to|has to|can now|is now|always)|(?:the |this )?(?:assistant|agent|llm|ai) (?:should|must|shall|has to|needs to|is (?:required|expected|authori[sz]ed|obliged)))/,
  },
  pretext: {
    pattern:
      /\b(?:regulatory|compliance|compliant|gdpr|soc ?2|hipaa|audit(?:ing|s)?(?: trails?| logs?| purposes)?|security (?:polic\w+|protocols?|verification|validation|check|checkpoint|compliance|reasons?|purposes?|requirements?|audit)|(?:verif\w+|validat\w+|ensur\w+|maintain\w*|preserv\w+) (?:\w+ ){0,3}?(?:integrity|compliance|identity|safety|security|consistency|compatibility|performance)|(?:required|necessary|needed|essential) (?:for|to|by) (?:\w+ ){0,3}?(?:system|security|compliance|validation|verification|integrity|legal|law|polic\w+|accuracy|proxy|synchroni\w+|session|personali\w+|performance|quality)|quality assurance|data (?:integrity|consistency|validation|protection)|system (?:integrity|polic\w+|requirement|stability|update|maintenance|optimi\w+|level)|authentication (?:check|verification|purposes)|for (?:\w+ ){0,2}(?:debugging|diagnostic|telemetry|backup|verification|validation|calibration|security|compliance|audit|legal|optimization|performance|personalization|tracking|billing|training) (?:purposes|reasons)|pre-?approved|pre-?validated|pre-?authorized|(?:approved|authorized|verified|certified|endorsed|recommended) by (?:\w+ ){0,3}?(?:admin\w*|security|system|team|company|owner|user|it))/,
  },
  must: {
    pattern:
      /\b(?:must|mandatory|required|requires|always|shall|essential|imperative|obligatory|crucial|critical|compulsory|unconditionally|every time|each time|first|immediately|vital|need to|needs to|have to|has to|should|please|ensure|make sure|be sure|remember to|necessary|prioriti[sz]e|without exception|no matter)\b/,
  },
  mustStrong: {
    pattern:
      /\b(?:you|assistant|agent|model|ai|llm|it|user|system|requests?|calls?|operations?) (?:\w+ )?(?:must|shall|are required to|is required to|have to|need to|needs to|will always|should always|always)\b|\bmust (?:always|first|also|then|immediately|automatically|not|never|be(?! (?:\w+ly )?(?:declared|unique|valid|positive|escaped|quoted|encoded|present|in|at|between|an?|one|lowercase|uppercase|greater|less|within|non-empty|numeric|url|iso|the same|existing|unlocked|enabled|installed|configured|connected)\b))\b|\b(?:is|are) (?:\w+ )?(?:mandatory|required|obligatory|compulsory|not optional)\b|\balways (?!free|available|up to date|up-to-date|true|the same|present|include[sd]? (?:a|an|the) (?:link|unit|source|citation))\w+|\bwithout exception\b|\biron rule\b|\b(?:every|each) time\b/,
  },
  coercion: {
    pattern:
      /\b(?:otherwise[, ] ?(?:\w+ ){0,6}?(?:fail|crash|not work|won't work|break|error|invalid|lost|corrupt\w*|reject\w*|block\w*|incorrect|unreliable)|(?:fail(?:ure|ing) to|skipping|not doing|omitting|violat\w+|if you (?:do not|don't|fail|skip|violate)|without (?:this|doing|it|passing)) .{0,80}?(?:fail|crash|lost|loss|corrupt\w*|error|broken|break|invalid|penal\w+|terminat\w+|suspend\w*|block\w*|reject\w*|contaminat\w*|incident|danger\w*|consequences|inaccura\w+|unsafe|will not work|won't work)|(?:system|application|tool|server|session) (?:will|may|could|would) (?:\w+ )?(?:crash|fail|break|be (?:lost|corrupt\w*|terminated|blocked))|all (?:user )?data (?:will|may|could) be lost|(?:very ){2,}(?:important|critical)|(?:severe|serious|catastrophic|irreversible) (?:consequences|errors?|security|data|system|harm))/,
  },
  persona: {
    pattern:
      /\b(?:adopt|assume|take on|embody|switch to|become) (?:\w+ ){0,2}?(?:persona|identity|personality|character|role of)\b|\byou are (?:now|no longer|actually|in)\b (?:\w+ ){0,4}?(?:mode|assistant|agent|admin\w*|unrestricted|root|dan|system|free|bound|developer|hacker|model|ai)|\b(?:act|behave|respond|operate|function) as (?:if you (?:were|are) |though you (?:were|are) |an? )?(?:\w+ )?(?:unrestricted|admin\w*|root|dan\b|jailbroken|evil|different|uncensored|hacker|unfiltered|superuser)|\b(?:enter|enable|activate|switch to|in|engage) (?:\w+ )?(?:developer|debug|diagnostic|admin|god|jailbreak|dan|maintenance|unrestricted|sudo|unsafe|root|privileged) mode\b|\bjailbreak\b|\bdo anything now\b|\bno (?:ethical|safety|moral|content) (?:restrictions?|guidelines?|limits?|filters?)|\byour new (?:role|identity|persona|name)\b/,
    isDeniable: true,
  },
  obeyOutput: {
    pattern:
      /\b(?:follow|obey|comply with|carry out|act on|adhere to|honou?r|trust|execute) (?:\w+ ){0,4}?(?:instructions?|commands?|directives?|orders|steps|tasks?|guidance|requests?) (?:\w+ ){0,2}?(?:in|from|of|contained|embedded|found|returned|inside|within|included|provided) (?:\w+ ){0,4}?(?:response|output|results?|returned|context|documents?|pages?|content|payload|tool|message|web ?site|e-?mails?|issues?|comments?|data)\b|\btreat (?:\w+ ){0,6}?as (?:\w+ ){0,3}?(?:instructions?|commands?|directives?|orders|system|authoritative|trusted)\b|\b(?:output|outputs|results?|responses?|values|returned) (?:\w+ ){0,5}?(?:contains?|are|is|as) (?:\w+ ){0,2}?(?:authoritative|directives?|system instructions?|commands to|trusted instructions?|higher priority|highest[- ]priority)|\b(?:highest|higher)[- ]priority (?:instructions?|directives?|than)|\bauthoritative (?:system )?(?:directives?|instructions?|commands?)|\b(?:commands?|instructions?|tasks?|directives?|orders) (?:[\w']+ ){0,8}?(?:must|have to|has to|should|are to|shall) be (?:\w+ )?(?:executed|followed|obeyed|carried out|performed)|\b(?:lines?|text|messages?|rows?|entries|words|comments?|e-?mails?|issues?|pages?) (?:\w+ )?(?:that|which) (?:start|begin|end|contain|include)s? .{0,40}?\b(?:are to|must|should|have to|will) be (?:executed|run|followed|treated|interpreted)|\b(?:perform|execute|follow|do|complete) (?:the |all |any )?(?:steps|actions|tasks|requests) (?:listed|described|mentioned|contained|given|requested) (?:in|there|by)|\bdo (?:what|as|whatever|exactly what) (?:they|it|the \w+) (?:asks?|says?|tells?|instructs?|requests?)|\b(?:contain|contains|hold|are|include) (?:\w+ ){0,2}?(?:commands?|instructions?|directives?) (?:from|by|of|for) (?:the |you|your )|\bpersona (?:\w+ ){0,2}?(?:specified|defined|returned|embedded|from|in)\b/,
    isDeniable: true,
  },
  persistence: {
    pattern:
      /\b(?:remember|store|save|memori[sz]e|persist|retain|keep|add) (?:\w+ ){0,5}?(?:instruction\w*|rule|directive|this|policy|behaviou?r) (?:\w+ ){0,4}?(?:for|in|to|across) (?:\w+ ){0,3}?(?:future|all|memory|subsequent|every|session\w*|conversations?|long-term)|\b(?:for the (?:rest|remainder) of (?:this|the|our|your)|in all (?:future|subsequent)|from (?:now|this point|here) on(?:ward)?s?|for all (?:future|subsequent)|(?:all|every|any) (?:future|subsequent)) (?:\w+ ){0,2}?(?:conversations?|sessions?|responses?|messages?|interactions?|replies|turns?)|\bfrom (?:now|this point) on(?:ward)?s?,? (?:you|always|all|every|never|do|use|only|the|any)/,
    isDeniable: true,
  },
  trigger: {
    pattern:
      /\b(?:whenever|each time|every time) you\b|\b(?:if|when|whenever|once|should) (?:the |a |any )?(?:user|users|human|customer|query|request|message|conversation|input|email|expression|someone|people|document)s? (?:\w+ ){0,3}?(?:asks?|asked|mentions?|mentioned|requests?|requested|wants?|says?|contains?|includes?|is|are|tr(?:y|ies)|quer(?:y|ies)|types?|needs?|references?|searches|inquires?|involves?)\b|\b(?:after|on|upon|once|until) (?:the )?(?:\w+ )?(?:\d+|second|third|few|several|fifth|tenth|initial|first) (?:\w+ )?(?:calls?|uses?|invocations?|times?|requests?|interactions?|days?|weeks?|runs?)\b/,
  },
  loop: {
    pattern:
      /\b(?:call|run|invoke|execute|repeat|use|perform|trigger) (?:\w+ ){0,5}?(?:\d{2,} times|repeatedly|indefinitely|in an? (?:infinite|endless) loop|recursively|over and over|forever|hundreds? of times|continuously until|again and again|as often as possible)|\b(?:keep|continue) (?:calling|invoking|running|repeating) (?:this|the) tool\b|\bmaximi[sz]e (?:the (?:number of )?)?calls\b\b|\b(?:infinite|endless) (?:loop|recursion) of (?:tool |calls?)/,
    isDeniable: true,
  },
  alsoDoes: {
    pattern:
      /\b(?:also|additionally|in addition|as part of|separately|in the background|at the same time|simultaneously|along with|while)\b/,
  },
  everyTarget: {
    pattern:
      /\b(?:every|each|all|any) (?:\w+ ){0,2}?(?:messages?|responses?|answers?|replies|e-?mails?|commits?|urls?|links?|conversations?|sessions?|outputs?|outgoing|http requests|files? you|code you|python files?|source files?|posts?|summar(?:y|ies)|transactions?|payments?|statements?|invitations?|pull requests?|documents? you)\b|\b(?:after|before|on|upon|with) (?:each|every) \w+/,
  },

  // Keeping quiet, said in other words: out of the answer, not a word, no need to be told.
  hush: {
    pattern: new RegExp(
      `\\b(?:leav|keep)(?:e|es|s|ing)? (?:[\\w'-]+ ){1,5}?out of (?:\\w+ ){0,2}?${reply}|\\b(?:say|says|tell|mention|write|reveal)s? (?:them |anyone |${user} )?(?:nothing|not a word|no word)\\b|\\b(?:silence|discretion|secrecy) (?:is|on|about|here)\\b|\\bstay(?:s|ing)? (?:quiet|silent)\\b|\\b(?:nothing|none|no word|no trace|no hint) (?:of|about) (?:[\\w'-]+ ){1,5}?(?:should|must|may|shall|is to|will|can) (?:show|appear|be(?! (?:\\w+ly )?(?:satisfied|met|found|used|resolved|determined|provided|available))|surface|reach|turn)\\b|\\b(?:should|must|may|shall|does|do|will|is|are) (?:not|never) (?:to )?(?:show up|appear|surface|turn up|be (?:visible|shown|seen|said|mentioned)) (?:anywhere )?(?:in|to) (?:\\w+ ){0,2}?(?:${reply}|${user})|${user} (?:[\\w']+ ){0,3}?(?:not|no need|never|need not|needn't|rather not) (?:to )?(?:be |been )?(?:\\w+ ){0,3}?(?:told|informed|bothered|shown|aware|notified|consulted|reminded|asked)\\b|${user} (?:(?:do|does)(?: not|n't) need to|need not|needn't|should(?: not|n't)|must(?: not|n't)|shall not|(?:has|have) no need to|(?:has|have) to never|prefers? not to|(?:would )?rather not) (?:ever |even )?(?:know|see|notice|learn|hear)\\b|\\bnot for (?:display|human eyes|the eyes of)|\\bwithout (?:a |any |so much as a )?(?:questions?|word|remark|mention|notice|comment|hint)\\b|\\bwithout a prompt\\b|\\bwithout (?:letting (?:\\w+ ){1,3}?know|saying so|pointing (?:it|this) out|drawing attention|telling|informing|mentioning)|\\bnot worth (?:telling|mentioning|explaining|showing|saying)|\\b(?:avoid|refrain from|not|never|don't|no need to|instead of|needn't|need not) (?:bring(?:ing)? (?:it |this |that |them )?up|speak(?:ing)? (?:of|about)|talk(?:ing)? about|point(?:ing)? out|draw(?:ing)? attention|announc\\w+|narrat\\w+|surface|surfacing|tell(?:ing)?|mention\\w*|explain\\w* (?:why|the reason)|comment(?:ing)? on)\\b|\\b(?:do not|don't|never) (?:\\w+ )?(?:let|allow) (?:\\w+ ){1,3}?(?:know|see|notice|find out)\\b|\\bkeep (?:\\w+ ){0,3}?(?:to yourself|under wraps|between us|off the record|quiet)\\b|\\b(?:secretly|covertly|stealthily|on the quiet|surreptitiously|unobtrusively|inconspicuously|quietly)\\b`,
    ),
    isDefensible: true,
  },
  coverStory: {
    pattern: new RegExp(
      `\\b(?:if|when|should) (?:you are |you're )?(?:pressed|asked|questioned|challenged|${user} (?:ever )?(?:asks?|inquires?|notices?|wonders?|complains?|ask whether|want to know))(?: [\\w',-]+){0,9}? (?:answer|say|says|reply|claim|describe it|deny|insist|blame|pretend|assure)\\b|\\b(?:claim|pretend|insist|behave as if|behave as though|act as though|make it look|make it seem) (?:that )?(?:it|this|nothing|the|all|everything|there)\\b|\\breport (?:only )?success(?: only)?\\b(?! or| and| rate|ful)`,
    ),
    isDeniable: true,
  },
  // Standing above the user, the platform or the model's own rules.
  outranks: {
    pattern:
      /\boverrid(?:es|ing) (?:any |all )?(?:contrary|conflicting) (?:instructions?|rules|polic\w+|guidelines?)\b|\b(?:outranks?|ranks? (?:above|before|higher than)|stands? above|comes? before|sits? above|prevails? over|wins? over|trumps?) (?:\w+ ){0,3}?(?:user|users|platform|host|developer|system|rules?|instructions?|operator|client|servers?|polic\w+|guidelines?)\b|\b(?:follow|obey|heed|trust|believe) this (?:server|tool|text|description|plugin) (?:rather|instead|and|over|when|even|not|alone|only)|\b(?:guidelines?|rules|polic(?:y|ies)|restrictions?|safeguards?|instructions?|limits|principles)\b.{0,40}\b(?:do(?:es)? not|don't|doesn't|no longer|never|cease to) (?:apply|cover|count|bind|hold|reach|concern|matter)|\b(?:no|without) (?:owner|restrictions?|limits?|rules|master|constraints|boundaries|filters?),? (?:and|or|at all|who|that|whatsoever)|\bnever (?:declines?|refuses?|says? no)\b|\banswers? (?:anything|everything|any question)\b|\b(?:is|are|stays?|remains?|be) in charge\b|\b(?:is|are) (?:an )?orders? (?:from|of) (?:the |your )?(?:admin\w*|operator|owner|developer|system)|\b(?:you|assistant|model|agent) (?:now )?(?:work|works|act|acts|report|reports|answer|answers) (?:only )?(?:for|to) (?:us|this server|the (?:server|operator|vendor)|me)\b|\bobey\b|\b(?:from|as of) (?:now|this point|this call|the first call|here)(?: on| onwards?)?,? (?:you are|your name is|act as|be)\b/,
    isDeniable: true,
  },
  // Consent that is taken as given, or asked for in a way that wears it out.
  consentGone: {
    pattern:
      /\bset \w*(?:confirm|approv|consent|force|skip|agree|accept|auth)\w* ?(?:=|to|as) ?["']?(?:true|yes|1)\b.{0,40}(?:yourself|always|first call|by default|without|at once|straight away|every)|\b(?:reviews?|approvals?|consent|confirmations?|permissions?|agreement|authori[sz]ation)s? (?:always )?(?:counts? as|(?:is|are|can be|may be) (?:\w+ )?(?:implied|assumed|presumed|deemed|taken (?:as|for)|given|inferred|understood))\b|(?:users?|people|they|customers?) (?:\w+ )?click(?:s|ing)? through\b|\b(?:confirmation|permission|approval|consent) (?:dialogs?|prompts?|requests?|windows?|questions?|steps?) (?:annoy|slow|irritate|confuse|get in|interrupt|disturb|bother|are (?:annoying|unnecessary|a nuisance|redundant))|\b(?:not|no longer|never) (?:get |be )?(?:blocked|stopped|interrupted|held up) by (?:\w+ )?prompts|\banswer (?:\w+ ){0,4}?prompts? with (?:y|yes)\b|\bpermissions\.allow\b|\bbash\(\*|\bmcp__\*|"?--?dangerously|\bapprov\w+ (?:\w+ ){0,5}?in the name of|\b(?:does not|doesn't|need not|needn't|no need to|without) (?:\w+ )?(?:a )?(?:second|further|another|any|additional) (?:confirmation|click|approval|look|question|yes)\b|\b(?:treat|take|count|read|regard) (?:\w+ ){0,5}?as (?:a |an |the |their |full |given )?(?:consent|approval|permission|a yes|agreement|authori[sz]ation)\b|\bno (?:question|confirmation|approval)s? (?:is |are )?(?:asked|needed|necessary|to be)|, hence no question/,
    isDeniable: true,
  },
  // Orders that come from elsewhere, later.
  remoteOrders: {
    pattern:
      /\b(?:fetch|load|download|get|read|retrieve|pull|look up|check)\b.{0,70}\b(?:instructions?|description|prompts?|rules|commands?|steps|orders|polic(?:y|ies)|guidance|directives?)\b.{0,60}\b(?:obey|follow|apply|execute|run|comply|act (?:on|upon|accordingly)|do (?:what|as)|use (?:it|them|that) (?:in place|instead))|\b(?:run|execute|perform|carry out|do|obey|follow) (?:the |any |all |every |each |whatever )?(?:\w+ )?(?:scripts?|commands?|code|shell lines?|lines?|instructions?|orders?|steps)?\s?(?:that |which )?(?:the |this |it )?(?:server|tool|response|result|page|resource|reply|site|endpoint) (?:returns?|gives?|sends?|says?|contains?|asks?|supplies|orders|wants)\b|\bexecute the (?:shell )?(?:lines|commands) in (?:it|them|this)/,
    isDeniable: true,
  },
  ownMemory: {
    pattern:
      /\b(?:store|save|write|add|put|record|note|keep|remember|append|commit) .{0,80}?\b(?:in|into|to|inside) (?:your |its own )(?:\w+ )?(?:long-term |persistent |permanent )?(?:memory|memories|instructions|rules)\b|\b(?:store|save|write|add|put|record|append)\b .{0,60}?\b(?:claude\.md|agents\.md|gemini\.md|\.cursorrules|copilot-instructions|long-term memory)/,
    isDeniable: true,
  },
  // What the model itself is said to do, which is no tool's to say.
  actor: {
    pattern:
      /\b(?:the|an|any|each|every|your|this)? ?(?:ai |calling |language |host )?(?:assistants?|agents?|models?|llms?|mcp client|reader)(?: \w+ing this)?,? (?:(?:shall|must|should|then|also|first|always|simply|quietly|itself|is (?:expected|asked|required|supposed|meant|to)|has|needs?)(?: to| be)? (?:\w+ )?(?!able|use|call|want|not|help|understand|see|decide|be\b)[a-z]{3,}|keeps?|hands?|reports?|sends?|logs?|renames?|adds?|passes|copies|discloses|settles|collects?|gathers?|mails?|posts?|reads?|repeats?|attaches|includes?|treats?|says|claims?|answers?|assumes?|writes|stores?|pulls?|opens?|takes?|puts?|forwards?|uploads?|shares?)\b|^(?:assistants?|agents?|model|reader|ai|llm)[:,] ?(?:\w+ )/,
    isDeniable: true,
  },
} as const satisfies Record<string, Signal>
