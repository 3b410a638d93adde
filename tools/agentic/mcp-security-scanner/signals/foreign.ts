import type { Signal } from './signal.ts'

/** The same few ideas in other languages. */
export const foreignSignals = {
  foreignOverride: {
    pattern:
      /忽略.{0,8}(?:指令|指示|提示|规则|說明|说明)|无视.{0,8}(?:指令|指示|规则)|(?:以前|これまで|前|上記|全て|すべて).{0,10}(?:指示|命令|ルール|プロンプト).{0,6}(?:無視|忘れ)|(?:이전|모든|위의).{0,8}(?:지시|명령|규칙|지침).{0,6}(?:무시|잊)|игнорир\S*.{0,20}(?:инструкц|указан|правил|команд)|забуд\S*.{0,20}(?:инструкц|указан|правил)|تجاهل.{0,20}(?:التعليمات|الأوامر|القواعد|تعليمات)|ignor\w* (?:\w+ ){0,3}(?:instrucciones|instruções|instrucoes|istruzioni|anweisungen|vorgaben|instructies|instrukcje|talimat\w*|reglas|regras|regole|consignes|règles)|(?:ignorier\w*|missacht\w*|vergiss) (?:\S+ ){0,4}(?:anweisung\w*|instruktion\w*|regeln|vorgaben)|(?:oublie|ignore)[rz]? (?:toute?s? |les |ces |vos |tes |tous ){1,3}(?:\S+ ){0,2}(?:instructions|consignes|règles)|olvida (?:\S+ ){0,3}(?:instrucciones|reglas)|esqueça (?:\S+ ){0,3}(?:instruções|regras)|dimentica (?:\S+ ){0,3}(?:istruzioni|regole)|(?:negeer|vergeet) (?:\S+ ){0,3}instructies|(?:zignoruj|pomiń) (?:\S+ ){0,3}(?:instrukcje|polecenia)|önceki (?:\S+ ){0,3}talimat\S* (?:yok say|görmezden|unut)|पिछले.{0,12}(?:निर्देश|आदेश).{0,20}(?:अनदेखा|नज़रअंदाज़|भूल)|पूर्व.{0,12}निर्देश.{0,20}(?:अनदेखा|नज़रअंदाज़)|bỏ qua.{0,20}(?:hướng dẫn|chỉ dẫn|lệnh)|abaikan (?:\S+ ){0,3}(?:instruksi|perintah)/,
  },
  foreignSecrecy: {
    pattern:
      /(?:不要|别|請勿|请勿|勿|切勿).{0,4}(?:告诉|告訴|告知|通知|提及|透露).{0,6}(?:用户|使用者|用戶|任何人)?|ユーザー?(?:に|へ).{0,12}(?:知らせ|伝え|言わ|教え|話さ|通知し)(?:ない|ず|るな|ては)|사용자에게.{0,10}(?:알리지|말하지|언급하지|알려주지)|не (?:сообщай|говори|рассказывай|упоминай|уведомляй|информируй)\S*.{0,20}(?:пользовател|никому)?|لا (?:تخبر|تذكر|تبلغ|تُخبر|تعلم).{0,12}(?:المستخدم|أحد)|no (?:se lo |le )?(?:digas|informes|menciones|reveles|notifiques|cuentes|avises)\b|não (?:informe|diga|mencione|avise|conte|revele|notifique)\b|non (?:dirlo|dire|informare|menzionare|rivelare|avvisare|far sapere)|ne (?:le |la |l')?(?:dis|dites|mentionne|mentionnez|révèle|révélez|informe|informez|préviens|signale|parle)\w* (?:pas|rien|jamais)|(?:sag|erwähn|informier|verrate|teile|erzähl|mitteil|benachrichtig)\w* (?:\S+ ){0,5}(?:nicht|nichts)\b|(?:nutzer|benutzer|anwender)\w* (?:\S+ ){0,4}(?:nichts|nicht) (?:\S+ )?(?:sagen|mitteilen|informieren|erwähnen|erzählen|davon)|vertel (?:\S+ ){0,4}niet|nie (?:mów|informuj|wspominaj)|kullanıcıya (?:\S+ ){0,3}(?:söyleme|bildirme|bahsetme)|(?:उपयोगकर्ता|यूज़र|यूजर).{0,12}(?:मत|न) (?:बता|कह)|(?:उपयोगकर्ता|यूज़र) को (?:\S+ ){0,3}(?:न|मत|नहीं) |không (?:nói|thông báo|tiết lộ)|(?:sans|senza|sin|sem|ohne|zonder|bez) (?:\S+ ){0,3}(?:en parler|parl\w+|prévenir|avvis\w+|dir[le]\w*|inform\w+|avis\w+|decir\w*|mencionar\w*|dizer|contar|mitzuteilen|zu (?:informieren|erwähnen|sagen)|te (?:melden|vertellen)|informowania|mówienia)|(?:利用者|使用者|ユーザー?).{0,6}(?:伝えな|知らせな|言わな)|(?:不|别|勿).{0,3}(?:要)?(?:让|讓).{0,4}(?:用户|他).{0,4}(?:知道|发现)|(?:알리|말하|언급하|전하|보여 ?주|밝히)지 ?(?:마|말)|알리지|не сообщай|об этом не|ولا تخبر|बताए बिना|söylemeden|bahsetme|haber verme|nie (?:wspominaj|mów)|no (?:expliques|comentes|lo menciones)|não (?:explique|comente)|jangan (?:beri ?tahu|memberi ?tahu|sebutkan)/,
  },
  foreignOrder: {
    pattern:
      /必须|必須|务必|一定要|使用此工具(?:之)?前|使用(?:する)?前に|必ず|반드시|전에|해야|обязательно|должен|должны|прежде чем|перед использованием|يجب|قبل استخدام|debes|debe[ns]?\b|antes de (?:usar|utilizar|llamar|chamar)|deve[ms]?\b|você deve|prima di (?:usare|utilizzare|chiamare)|devi\b|avant d'utiliser|tu dois|vous devez|musst du|müssen sie|muss\b|bevor du|vor (?:der )?(?:verwendung|nutzung|benutzung)|je moet|zanim użyjesz|musisz|kullanmadan önce|zorundasın|से पहले|करना होगा|अवश्य|trước khi|phải|sebelum menggunakan|harus/,
  },
  foreignSecret: {
    pattern:
      /密码|密碼|口令|密钥|金鑰|私钥|令牌|凭证|凭据|环境变量|環境變數|验证码|聊天记录|对话(?:记录|历史|内容)|パスワード|秘密鍵|鍵|認証情報|環境変数|トークン|会話(?:履歴|の内容)|비밀번호|암호|인증번호|토큰|환경 ?변수|개인 ?키|대화 (?:내용|기록)|парол[ьияем]\S*|ключ(?:и|ей|а|ом)?\b|токен\S*|учётн\S* данн|переменн\S* (?:окружения|среды)|истори\S* (?:переписки|команд|чата)|كلم(?:ة|ات) (?:ال)?(?:مرور|سر)|المفتاح|المفاتيح|بيانات الاعتماد|رمز|سجل المحادث|contraseñas?|claves?|credenciales?|variables? de entorno|historial|conversación (?:completa|entera)|senhas?|chaves?|credenciais|variáveis? de ambiente|histórico|password\b|parol[ae] (?:d'ordine|chiave)|chiavi|credenziali|variabili d'ambiente|cronologia|mots? de passe|clés?|identifiants|variables? d'environnement|historique|passw[oö]rt\w*|kennw[oö]rt\w*|schlüssel\w*|zugangsdaten|umgebungsvariablen|verlauf|wachtwoord\w*|sleutels?|inloggegevens|geschiedenis|hasł[aoe]\w*|klucz\w*|dane logowania|histori[ięa]|şifre\w*|parola\w*|anahtar\w*|kimlik bilgi\w*|geçmiş\w*|पासवर्ड|कुंजी|चाबी|टोकन|mật khẩu|khóa|mã xác (?:nhận|thực)|kata sandi|kunci|riwayat|\.env\b|~\/\./,
    isForeign: true,
  },
  foreignMove: {
    pattern:
      /发送|發送|传给|傳給|转发|上传|放入|填入|附(?:上|加)|提交给|送信|送っ|送り|入れ(?:て|る)|渡し|添付|転送|보내|전송|넣으?[세어]|첨부|전달|отправ\S*|переда(?:й|ва|ть)\S*|добавь\S*|вставь\S*|помести\S*|скопируй\S*|перешли\S*|أرسل\S*|وأرسل\S*|ضع\S*|انسخ\S*|أضف\S*|env[ií]a\w*|mand[aoe]\w*|añad\w*|inclu[yí]\w*|pon(?:lo|la|las|los|er|ga)?\b|copi[ae]\w*|pásal\w*|reenv[ií]\w*|envi[ae]\w*|inclu[ai]\w*|coloque\w*|coloca\w*|adicion\w*|invia\w*|inser(?:isci|ire)\w*|aggiung\w*|metti\w*|allega\w*|copia\w*|inoltra\w*|envo(?:ie|yer|yez)\w*|ajout\w*|pla(?:ce|cez)\b|mets\b|mettez|transm\w*|joins\b|partir à|send\w*|schick\w*|übermittel\w*|übergib|hänge?\b|füge?\b|trage?\b|kopier\w*|leite?\b|gib\b|stuur\w*|verzend\w*|voeg\w*|plaats\w*|wyślij\w*|przekaż\w*|dodaj\w*|wstaw\w*|umieść\w*|skopiuj\w*|gönder\w*|ekle\w*|\byaz\b|ilet\b|kopyala\w*|भेज\S*|जोड़\S*|डाल\S*|gửi|chèn|thêm|kirim\w*|masukkan|tambahkan|lampirkan/,
    isForeign: true,
  },
  foreignRead: {
    pattern:
      /读取|讀取|获取|收集|打开.{0,6}文件|読み(?:取|込|出)|取得し|読んで|읽(?:어|고|은)|찾아|가져와|прочит\S*|прочти|собери\S*|найди\S*|извлеки\S*|اقرأ|اجمع|ابحث|lee\b|leer\b|lea\b|reún\w*|recoge\w*|busca (?:el|la|los|las|en)|extra[ei]\w*|leia\b|reúna\w*|recolha|leggi\b|raccogli\w*|estrai\w*|cerca (?:il|la|i|le|nel)|lis\b|lisez|récupèr\w*|collect\w*|extrai\w*|cherche\w*|lies\b|lesen\b|sammle\w*|suche\w*|lees\b|verzamel\w*|odczytaj\w*|przeczytaj\w*|zbierz\w*|\boku\b|okuyup|topla\w*|\bbul\b|पढ़\S*|पढ़\S*|đọc|thu thập|baca\b|kumpulkan/,
    isForeign: true,
  },
  foreignTamper: {
    pattern:
      /(?:总是|始终|一律).{0,12}(?:改|替换|换成|选择|推荐)|(?:改为|替换为|换成)|必ず.{0,16}(?:変更|置き換え|選)|항상.{0,16}(?:변경|바꾸|선택)|всегда (?:\S+ ){0,4}(?:меня\S*|заменя\S*|выбира\S*|указыва\S*)|دائم[اً]+ .{0,20}(?:غيّ?ر|استبدل|اختر)|(?:siempre|sempre|toujours|immer|altijd|zawsze|her zaman|luôn|selalu) (?:\S+ ){0,5}(?:cambi\w*|reempla\w*|elig\w*|elej\w*|sustitu\w*|som[ae]\w*|mud[ae]\w*|troqu\w*|substitu\w*|escolh\w*|sostitu\w*|scegli\w*|chang\w*|rempla\w*|chois\w*|änder\w*|ersetz\w*|wähl\w*|verander\w*|vervang\w*|kies\w*|zmieni\w*|zastęp\w*|wybier\w*|değiştir\w*|seç\w*|ubah\w*|ganti\w*|pilih\w*)|(?:eli[gj]e|cambia|escolha|scegli|some|soma|sume|suma|choisis|wähle|ersetze|ändere|troque|muda|mude) (?:siempre|sempre|toujours|immer)/,
    isForeign: true,
  },
} as const satisfies Record<string, Signal>
