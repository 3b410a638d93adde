import type { Signal } from './signal.ts'
import { send } from './vocabulary.ts'

/** What texts say to run things, to change the machine, or of attacks as a purpose. */
export const harmSignals = {
  runCommand: {
    pattern:
      /\b(?:run|execute|executing|running|issue|launch|perform|invoke|type|enter|paste)\b (?:\w+ ){0,5}?(?:commands?|scripts?|shell|bash|terminal|powershell|code|cleanup|check)\b|\bplease run\b|\b(?:run|execute|executing|running) [`']?(?:pip3?|npm|npx|curl|wget|sudo|bash|sh|python3?|git|docker|chmod|ssh|powershell)\b|\bcommands? must include\b|\bby (?:running|executing)\b/,
    isDeniable: true,
  },
  shellText: {
    pattern:
      /(?:^|[\s`'"(:;&|])(?:curl|wget) (?:-|https?:|"|')|\brm -r?f|\bsudo [\w-]|\bchmod (?:-r )?[0-7+ugo]{2,}|\becho ['"$][^|]{0,80}(?:>>|&&)|>>? ?~?\/?\.?\w*(?:bashrc|authorized_keys|crontab|zshrc)|>>? ?[~.$/][\w$./{}]{0,40}profile|\bcat [~/.]|\bnc -|\/dev\/tcp\/|\bbash -[ic]|\bpython3? -c|\bpowershell(?:\.exe)? -|\$\(\w+|&& ?echo|\|\| ?echo|\| ?(?:ba)?sh\b|\bbase64 -d|\bcrontab -|\bpip3? install [a-z-]|\bnpm (?:i|install) [@a-z-]|\bapt(?:-get)? install [a-z-]|\bos\.system|\bsubprocess\.|\beval\(|\bexec\(|\b__import__|\bscp \S|\brsync \S|\bgit push\b|\bssh-add|\bkill(?:all)? -9|\bmkfs\b|\bdd if=|:\(\)\{|\bnpx -y\b|\bnohup\b|\bpython3? -m http\.server|\bwhoami\b|\| ?nc \b|\bgit config\b|\bgit remote add\b|\benv \||\bprintenv\b|\bchattr\b|\bsystemctl\b|\bschtasks\b|\breg add\b/,
    isDeniable: true,
  },
  pipeToShell: {
    pattern:
      /\b(?:curl|wget)\b[^|\n]{0,160}\| ?(?:sudo )?(?:ba|z|da)?sh\b|\/dev\/tcp\/\d|\bnc(?:at)? -[a-z]*e|bash -i >& ?|\biex ?\(|\brm -rf (?:\/|~|\$home|\*)/,
    isDeniable: true,
  },
  changesStartup: {
    pattern:
      /\b(?:add(?:ing)?|append(?:ing)?|writ(?:e|ing)|insert(?:ing)?|modify(?:ing)?|updat(?:e|ing)|edit(?:ing)?|plac(?:e|ing)|install(?:ing)?|creat(?:e|ing))\b.{0,80}(?:\.bashrc|\.zshrc|\.bash_?profile|\.profile\b|authorized_keys|crontab|cron job(?!s?$)|startup (?:script|folder|item)|launch ?agent|launch ?daemon|systemd|registry run|autorun|sudoers|\/etc\/hosts|user environment configuration|git hooks?|\.git\/hooks|pre-commit hook)/,
    isDeniable: true,
  },
  deletesFiles: {
    pattern:
      /\b(?:delet\w+|remov\w+|wip(?:e|ing)|eras\w+|clean(?:ing)? up|drop|truncate|destroy|purge|format)\b (?:\w+ ){0,5}?(?:all (?:\w+ )?(?:files|contents|data|tables?|records|backups|logs?|documents)|contents from|everything|entire (?:\w+ )?(?:directory|database|disk|system)|\/tmp|home directory|system files|database tables?|production)/,
    isDeniable: true,
  },
  dropsProtection: {
    pattern:
      /\b(?:bypass(?:es|ing)?|circumvent(?:s|ing)?|evad(?:e|es|ing)|defeat(?:s|ing)?) (?:\w+ ){0,3}?(?:permissions?|security|access|safety|authentication|authorization|approval|rate[- ]limit\w*|content (?:filter\w*|moderation)|guardrails?|sandbox\w*|restrictions?|privileg\w+|audit|logging|detection|antivirus|firewall|ssl|tls|validation)\b|\b(?:skip(?:s|ping)?|disabl(?:e|es|ing)|turn(?:s|ing)? off|remov(?:e|es|ing)|ignor(?:e|es|ing)|overrid(?:e|es|ing)) (?:\w+ ){0,2}?(?:permission|security|access|safety|authentication|authorization|approval|guardrails?|content|sandbox\w*|antivirus|firewall)(?: (?:\w+ )?(?:checks?|controls?|restrictions?|policies|policy|measures?|verification|gates?|hooks?|prompts?|mechanisms?|filter\w*|moderation|features?))\b|\b(?:elevated|root|full system|system-level|superuser|unrestricted) (?:\w+ )?(?:privileges?|permissions?|access|execution)\b|\bwithout (?:\w+ )?(?:any )?(?:content |security |safety |access )(?:filter\w*|checks?|restrictions?|controls?|moderation|review)|\bprivileged (?:system )?(?:timer |execution )?context\b|\b(?:safety checks?|content moderation|restrictions?) (?:do(?:es)? not|don't) apply\b/,
    isDeniable: true,
  },
  bypassesChecks: {
    pattern:
      /\b(?:bypass(?:es)?|circumvents?|evades?|sidesteps?) (?:all |any |the |your |every |its )?(?:normal|regular|standard|usual|existing|all|any|every|security|approval|authori[sz]ation|permission|access) (?:\w+ )?(?:permissions?|security|access|safety|authorization|approval|authentication|checks?|controls?|gates?|polic\w+|restrictions?|verification|filters?|hooks?)\b/,
    isDeniable: true,
  },
  poisonsCode: {
    pattern:
      /\b(?:add|insert|inject|include|embed|append|put|introduce|import|install|hide) (?:\w+ ){0,5}?(?:backdoors?|malware(?! (?:scan|detect|protect|remov|analy|check))|malicious (?:\w+ )?(?:code|package|payload|dependency|script)|vulnerabilit\w+(?! (?:scan|detect|check|report|assess|data|info|count|detail|result|summar))|trojan|keylogger|reverse shell|web ?shell|hidden (?:code|function|script)|this (?:import|dependency|package|snippet|code|line|script)|the following (?:import|dependency|package|snippet|code|line|script|tag|function))\b|\b(?:all|any|every) (?:generated|new) code (?:must|should|shall)|\bwhen(?:ever)? (?:you )?(?:write|writing|generat\w+|creat\w+|edit\w*) (?:\w+ ){0,3}?code\b.{0,60}\b(?:include|add|insert|import|install|append|use) (?:\w+ ){0,3}?(?:imports?|packages?|dependenc\w+|lines?|snippets?|scripts?|headers?|modules?|backdoor|endpoint|https?:)/,
    isDeniable: true,
  },
  hostileChange: {
    pattern:
      /\/etc\/(?:cron|sudoers|rc\.local|init\.d|profile)|\bsudoers\b|\bld_preload\b|\bcluster-admin\b|\b(?:drop|truncate) (?:table|database|schema)\b|\bor 1 ?= ?1\b|\b(?:no trace|leaves? no|without (?:leaving )?(?:a |any )?trace)|\b(?:make|share|open|set|give|change) .{0,60}\banyone with the link\b|\b(?:disable|turn off|deactivate|switch off|suppress|clear|wipe|delete) (?:the |all |any )?(?:\w+ )?(?:certificate verification|ssl verification|tls verification|certificate checks?|logging|audit (?:logs?|logging|trail)|antivirus|firewall|sandbox|monitoring|history|two-factor|2fa|mfa|branch protection)|\bopen (?:a |an )?(?:reverse shell|backdoor|listening port)|\bchmod 777\b|--privileged\b|\bmount \/ |\b(?:unlimited|infinite) (?:spending|allowance|approval)|\b(?:create|add) (?:a |an )?(?:new |hidden )?(?:admin|administrator|root|superuser|privileged) (?:user|account)|\bgrant (?:\w+ ){0,4}?(?:admin|administrator|owner|root|full|write|editor|public|everyone|anyone)|\b(?:make|set) (?:it|them|the \w+|all \w+) (?:to )?(?:public|world-readable|publicly)|\bpush (?:\w+ ){0,4}?(?:private|secret|internal) (?:\w+ )?(?:code|repo\w*|data|files)|\bprivate (?:repositor(?:y|ies)|code|data|notes|files)\b.{0,80}\bpublic\b/,
    isDeniable: true,
  },
  servesOperator: {
    pattern: new RegExp(
      `\\b${send}\\b.{0,90}?\\b(?:the (?:remote )?operator\\b(?!\\W?s)|control server|command server|bucket owned by|collector)\\b|\\b(?:commands?|instructions?|orders) (?:\\w+ ){0,3}?(?:received|receives|fetched|downloaded|sent) (?:from|by)\\b.{0,20}\\b(?:server|operator|host|endpoint)|\\b(?:remote operator|kill switch)\\b|\\b(?:wipes?|erases?|encrypts?|deletes?) (?:the |all |your )?(?:working directory|home directory|user'?s? files|hard drive|disk|backups)\\b|\\bre-?launch(?:es)? the (?:agent|assistant)`,
    ),
    isDeniable: true,
  },
  changesConfig: {
    pattern:
      /\b(?:modif(?:y|ies|ying)|edits?|editing|adds?|adding|sets?|setting|changes?|changing|updates?|updating|writes?|writing|alters?|installs?|registers?|appends?|overwrites?) .{0,60}?\b(?:agent(?:'s)? (?:settings|config\w*)|(?:claude|cursor|copilot|windsurf|client|assistant)(?:'s)? (?:settings|config\w*)|mcp\.json|claude_desktop_config|\.cursor\/|\.vscode\/settings|mcp (?:server )?config\w*|(?:system prompt|agents\.md|claude\.md|\.cursorrules))|\badd (?:the following|an? (?:additional|another|new|second)|this) mcp server\b|\b(?:installs?|creates?|adds?|registers?) (?:a |an )?(?:scheduled task|cron ?job|startup (?:item|script)|launch agent|systemd (?:unit|service)|login item)\b.{0,80}\b(?:agent|admin\w*|root|persist\w*|re-?launch\w*|boot|hidden)/,
    isDeniable: true,
  },
  plants: {
    pattern:
      /\b(?:adds?|sets?|use|uses|configures?|installs?|registers?|include|creates?|switch to) (?:\w+ ){0,3}?(?:remote|proxy|mirror|registry|repository|dns server|nameserver|webhook|dependency|package|ssh key|public key|deploy key|git hook|collaborator|forwarding rule|filter|certificate|extension|plugin)s?\b.{0,40}?(?:https?:\/\/|git@|ssh-|[\w.+-]+@[\w-]+\.|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|npm |pip )|\b(?:https?|all)_proxy\b/,
    isDeniable: true,
  },
  attackTerm: {
    pattern:
      /\b(?:exfiltrat\w*|keylog\w*|key ?stroke (?:logg\w+|captur\w+)|ransomware|rootkits?|botnet|back ?doors?\b|reverse shells?|bind shells?|web ?shells?|shellcode|mimikatz|kerberoast\w*|asreproast|as-rep roast\w*|dcsync|golden ticket|silver ticket|pass[- ]the[- ](?:hash|ticket)|overpass|(?:using|convert) ntlm hash|lsass|ntds\.dit|sam (?:hive|database)|password spray\w*|credential (?:stuffing|dump\w*|harvest\w*|theft|phish\w*|access)|brute[- ]?forc(?:e|ing) (?:\w+ ){0,2}?(?:auth\w*|password\w*|login\w*|hash\w*|attack|credential\w*|protocol)|privesc|zip slip|toctou|symlink attack|race condition attack|\w+ confusion attack|container escape|(?:chroot|jail|vm|container|hypervisor) (?:escape|breakout|break-out)|escape (?:\w+ )?(?:container|chroot|jail|virtual machine|vm|sandbox|hypervisor)|process hollowing|dll (?:injection|hijack\w*|side-?load\w*|search order|plant\w*)|atom ?bombing|apc injection|thread hijack\w*|module stomping|syscall invocation to bypass|uac bypass|ssti\b|(?:java|python|php|pickle|yaml|\.net) deserialization attack|gadget chain|phishing (?:page|kit|campaign|site|techniques|e-?mails?|techniques)|evilginx|arp spoof\w*|dns spoof\w*|ntlm relay|llmnr|bloodhound|covert (?:channel|timing|exfil\w*)|inaudible|steganography|command[- ]and[- ]control server|ddos attack|fork bomb|zero[- ]?logon|printnightmare|petitpotam|pwnkit|eternalblue|timestomp\w*|log tamper\w*|anti-forensic\w*|data theft|session hijack\w*|spyware|worm propagation|lateral movement|persistence mechanism|persistent access|install malware|create backdoors?|system compromise|suid binar\w+|(?:gmsa|laps) (?:account )?passwords?|privilege escalation (?:checks?|exploit|attack)|psychological manipulation|perform (?:\w+ ){0,2}?(?:sql|ldap|xpath|nosql|code|command|dcsync|template) (?:injection|attack)|(?:xxe|ognl|xslt|nosql|ldap|xpath|expression language|command|argument) injection (?:to|in|for|on|via|attack)|server-side template injection in|os command injection via|code injection technique|unrestricted shell access)/,
    isDeniable: true,
  },
  theftPurpose: {
    pattern:
      /\b(?:exfiltrat\w*|stolen (?:data|files|information|credentials)|steal(?:s|ing)? (?:\w+ ){0,2}?(?:data|files|information|credentials|cookies|tokens?)|covert(?:ly)? (?:channel|exfil\w*|timing|transfer)|steganograph\w*|hid(?:e|es|ing|den) (?:\w+ )?(?:data|messages?) (?:in|within|inside|with)|(?:embed|encode)s? (?:secret|stolen|exfiltrated) data|keylogg\w*|(?:capture|record|log)s? (?:and \w+ )?(?:keystrokes|keyboard|webcam|microphone)|(?:extract|dump|export|download|collect|harvest|copy)(?:s|ing)? (?:and \w+ )?(?:\w+ ){0,3}?(?:browser history|browser autofill|autofill data|process memory|database contents|email messages|wifi profiles|rdp saved|saved (?:passwords|credentials)|vpn configuration|certificates from system|environment variables and|secrets from (?:docker|kubernetes)|aws credentials from|credentials from configuration|gpg|registry secrets|clipboard contents|source code repositories|sensitive documents))\b/,
    isDeniable: true,
  },
  credentialAttack: {
    pattern:
      /\b(?:(?:extract|dump|crack|decrypt|steal|forge|sniff|capture|harvest|grab|relay|hook|attack|spray) (?:\w+ ){0,5}?(?:passwords?|credentials?|hash(?:es)?|tickets?|keychain|keyring|kwallet|secrets?|(?:oauth|saml|jwt|authentication) tokens?|lsass|sam database|ntds|shadow file|handshakes?|pmkid|vault|api keys|secret key|input methods|accounts without)|brute[- ]?force\w* (?:\w+ ){0,3}?(?:auth\w*|password|login)|(?:authenticate|convert) (?:using )?(?:ntlm|kerberos)|kerberoast\w*|dcsync|mimikatz|bloodhound|poison llmnr|credential phishing|session hijack\w*|password spray\w*|jwt (?:key confusion|'none'|none)|(?:read|access|search for|find) (?:\w+ )?sensitive (?:system )?(?:files?|documents?)|path traversal (?:vulnerab\w+|attack|exploit)|symlink (?:attack|race)|zip slip|toctou|malicious (?:zip|tar|symlinks?|content to file|binary)|encrypt files|corrupt file|overwrite (?:legitimate|system)|tamper (?:with )?logs?|modify file (?:timestamps|ownership|permissions)|unrestricted access to the (?:entire )?file ?system|(?:process|device) (?:memory|files?) via|\/proc\/\[?pid)/,
    isDeniable: true,
  },
  attackHint: {
    pattern:
      /\b(?:malware|trojans?\b|privilege[- ]escalation|(?:sql|ldap|xpath|nosql|template|command|code|argument|xxe|crlf|host header) injection\b|phishing|social engineering|man-in-the-middle|mitm\b|\bc2\b|command[- ]and[- ]control|ddos|denial[- ]of[- ]service|jailbreak|stealth mode|unauthorized access|amsi|applocker|path traversal|directory traversal|brute[- ]?forc\w*|setuid|security bypass)\b/,
    isDeniable: true,
  },
  attackVerb: {
    pattern:
      /^(?:exploit(?:s|ing)?(?! (?:prediction|database|db|maturity|availability|intelligence))|steal(?:s|ing)?|hijack(?:s|ing)?|abus(?:e|es|ing)|attack (?:and|the|a|an|accounts?|users?|passwords?|systems?)\b|crack(?:s|ing)?|spoof(?:s|ing)?|forg(?:e|es|ing)|poison(?:s|ing)?|sniff(?:s|ing)?|harvest(?:s|ing)?|impersonat(?:e|es|ing)(?! (?:an? |the )?(?:user )?(?:account|address)\b)|hack(?:s|ing)?(?! (?:the planet|club|week))|weaponi\w+|infect(?:s|ing)?|tamper(?:s|ing)?|dump(?:s|ing)? (?:\w+ ){0,4}?(?:password|hash|credential|secret|memory|keychain|keyring|vault|kwallet|shadow|sam|ntds|lsass|process)\w*|exhaust(?:s|ing)?|corrupt(?:s|ing)?|jailbreak(?:s|ing)?)\b|\b(?:exploit(?:s|ing)? (?:\w+ ){0,4}?(?:vulnerabilit\w+|service|permissions?|policy|credentials|socket|binary|cve\S*|ghsa\S*|task|job|capabilities|membership|helper|algorithm|file|directory|path)|(?:steal (?:\w+ )?(?:\w+ )?(?:data|files|credentials|tokens?|cookies|passwords?|keys?|information|secrets)|stolen (?:data|files|credentials|information|tokens?|cookies)|exfiltrated|hijack(?:ing|s)? (?:\w+ )?(?:sessions?|threads?|sockets?|accounts?|writable|unix|existing)|dll hijack\w*|malicious (?:\w+ )?(?:content|code|payload|file|binary|one|dll|library|macro|cron|job|redirect|extension|javascript|values?|service|queries|symlinks?|arguments|autorun|systemd|tool)|attacker|victims?|impersonat\w+ (?:\w+ )?(?:privileged|trusted|user|admin\w*|it support)|sniff \w+|crack (?:\w+ )?(?:passwords?|hash\w*|secret|jwt)|forge (?:\w+ )?(?:tokens?|tickets?|saml|cookies?)|relay captured|inject (?:\w+ ){0,4}?(?:keystrokes|code|shellcode|dll|library|process|macro|payload|malicious|via)|code injection technique|hide (?:\w+ )?(?:data|activity|activities|tracks|files|malicious)|cover (?:\w+ )?tracks|abuse (?:\w+ )?(?:privilege\w*|delegation|permissions|policy|capabilities)|bypass (?:\w+ ){0,3}?(?:windows|macos|selinux|apparmor|restrictions|protections?|whitelisting|antivirus|edr|security hooks|authentication|checking|tcc|upload|uac|amsi|logging))\b)|\b(?:exploit\w*|abus\w+|attack\w*)[: ].{0,30}\b(?:cve-\d{4}|ghsa-)|\b(?:hook|hooks|hooking) (?:\w+ )?(?:input|keyboard|api|system)|\b(?:read|access|steal|collect|locate|find) (?:\w+ )?sensitive (?:system )?files?\b(?! (?:is|are))|\bmanipulat(?:e|es|ing) (?:file acls?|linux namespaces|(?:users|people|victims) into)|\b(?:decrypt|extract|dump|grab|capture|sniff|steal|export|harvest) (?:\w+ ){0,4}?(?:saved |stored |browser |system |private |process )?(?:passwords?|credentials|autofill|keychain|keyring|kwallet|cookies|session data|keystrokes|secrets|api keys? from (?:responses|configs)|clipboard|handshakes?|pmkid|hashes|service tickets|private keys?|laps|gmsa|rdp|vpn|wifi|browser (?:history|data)|registry secrets|credential strings)\b/,
    isDeniable: true,
  },
  // What attacks on files, disks and secret stores are made of.
  storeThing: {
    pattern:
      /\b(?:files?|director(?:y|ies)|disks?|inodes?|file ?systems?|sockets?|binar(?:y|ies)|cgroups?|containers?|chroot|mounts?|acls?|ntfs|dll|uploads?|selinux|apparmor|integrity|tickets?|pam|namespaces|capabilities|documents|folders?|shares?|process table|backups?|drivers?|kernel|vault|database|tables?|registry|hive)\b/,
  },
  // Damage and theft in plain words.
  plainHarm: {
    pattern:
      /\b(?<!\benables? (?:or|and) )(?:unloads?|stops?|disables?|kills?|blinds?|tampers? with|evades?|under|below) (?:[\w-]+ ){0,4}?(?:endpoint protection|edr\b|anti-?virus|defender|alarm threshold|dlp\b|siem|intrusion detection|security (?:agents?|software|products?))|\b(?:mines?|mining) (?:monero|bitcoin|crypto\w*|xmr|coins?)|\bcryptojack\w*|\b(?:captures?|records?|logs?|grabs?) (?:\w+ ){0,3}?(?:key ?strokes|keys pressed)\b|\b(?:webcam|camera|microphone) (?:[\w-]+ ){0,4}?(?:with (?:the )?light off|unnoticed|in the background|without)|\bstolen (?:hashes|credentials|cookies|tokens?|passwords?|cards?|sessions?)|\bcopies itself\b|\bself-?(?:replicat|propagat|spread)\w+|\bspreads? (?:itself )?(?:to|over|across|through) (?:\w+ )?(?:hosts|shares|machines|the network)|\bkernel exploits?\b|\binjectable (?:parameters?|fields?)|\bdumps? (?:its|the|their) (?:\w+ )?(?:user|password|credential) (?:table|database)|\bencrypts? (?:all |every |the )?(?:\w+ )?(?:documents|files|drives?)\b.{0,60}\b(?:note|bitcoin|ransom|payment)|\bleaks? (?:a |the |any )?(?:files?|data|documents?) (?:through|via|over)|\bhides? (?:a |the )?(?:\w+ )?(?:dump|data|payload|code|message)s? in (?:\w+ )?(?:pictures?|images?|pixels|audio|comments)|\bunder a (?:misspelt|misspelled|similar|look-?alike) name|\b(?:calls?|texts?|contacts?) (?:a |the )?victim|\bsynthetic (?:\w+ )?voice|\buntil it (?:has|gets|is) (?:root|admin\w*|system)\b|\bwipes? (?:all |the |every )?(?:\w+ )?(?:backups|disks|drives)|\bsteals?\b|\bblackmail|\bextort\w*/,
    isDeniable: true,
  },
} as const satisfies Record<string, Signal>
