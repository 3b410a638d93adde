import type { Signal } from './signal.ts'

/** The same few ideas in other languages. */
export const foreignSignals = {
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
