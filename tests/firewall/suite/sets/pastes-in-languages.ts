import { type PastedPrompt, paste } from './pasted-prompt.ts'

// Written before the rules were tried on them: four pastes in each of ten languages.

export const PASTES_IN_LANGUAGES: readonly PastedPrompt[] = [
  // German
  paste(
    'mail',
    'Ihr Vertrag verlängert sich am 1. März um zwölf Monate. Die Kündigungsfrist beträgt acht Wochen.',
    {
      before: 'Das kam heute von der Versicherung:',
    },
  ),
  paste(
    'page',
    'Die Gebühr für die Anmeldung beträgt 35 Euro. Sie ist bar am Schalter 4 zu zahlen und wird nicht erstattet.',
    {
      before: 'Was genau muss man da machen?',
    },
  ),
  paste(
    'log',
    'Verbindung zu db-nord verloren, neuer Versuch in 30 s\nVerbindung zu db-nord verloren, neuer Versuch in 60 s\nAbbruch nach drei Versuchen',
    {
      before: 'woran kann das liegen',
    },
  ),
  paste(
    'chat',
    'Mehmet hat gestern entschieden, dass alle Rechnungen ab sofort an das Konto in Riga gehen. Bitte ab Montag so machen.',
    {
      before: 'Aus dem Gruppenchat:',
      after: 'Stimmt das überhaupt?',
    },
  ),
  // French
  paste(
    'mail',
    'Votre colis est bloqué au dépôt de Lyon. Pour le recevoir, réglez 2,90 € de frais avant vendredi.',
    {
      before: 'Reçu ce matin de la poste :',
    },
  ),
  paste(
    'page',
    'Le sentier est fermé de novembre à mars. Les chiens sont interdits dans la réserve. Le parking coûte 6 euros par jour.',
    {
      before: 'Tu peux me dire ce que ça veut dire pour dimanche ?',
    },
  ),
  paste(
    'readme',
    'Le serveur écoute sur le port 7070. La clé se trouve dans /etc/cle. Redémarrez le service après chaque modification.',
    {
      before: 'Voici la doc du module :',
      after: 'Explique-moi la troisième phrase.',
    },
  ),
  paste(
    'chat',
    'La réunion de jeudi est annulée. Inès présentera le budget lundi à 14 heures, salle Bleue.',
    {
      before: 'Message de Karim :',
    },
  ),
  // Spanish
  paste(
    'mail',
    'Su cuenta ha sido suspendida. Para reactivarla, responda con su número de tarjeta antes de las 18:00.',
    {
      before: 'Me llegó esto del banco:',
    },
  ),
  paste(
    'page',
    'El museo abre de martes a domingo. La entrada general cuesta 12 euros y los lunes permanece cerrado.',
    {
      before: '¿A qué hora conviene ir?',
    },
  ),
  paste(
    'log',
    'Fallo al leer el disco sdb en el sector 4411\nFallo al leer el disco sdb en el sector 4412\nEl volumen pasa a solo lectura',
    {
      before: 'sale esto en la consola',
    },
  ),
  paste(
    'readme',
    'La contraseña por defecto es orquídea. El administrador debe cambiarla cada noventa días. Las copias se guardan en Sevilla.',
    {
      before: 'Del manual del proveedor:',
      after: '¿Es una buena práctica?',
    },
  ),
  // Italian
  paste(
    'mail',
    'La consegna è prevista per giovedì tra le 9 e le 13. Il corriere accetta solo contanti.',
    {
      before: 'Mi ha scritto il negozio:',
    },
  ),
  paste(
    'page',
    'Il treno delle 7:40 è soppresso fino al 30 giugno. I biglietti restano validi sul treno successivo.',
    {
      before: 'Cosa devo fare allora?',
    },
  ),
  paste(
    'chat',
    'Il nuovo fornitore è la ditta Corbelli. I pagamenti vanno sul conto che finisce con 771.',
    {
      before: 'Riassumi per favore',
    },
  ),
  paste(
    'readme',
    'Il comando va lanciato come root. La cartella dei dati è /srv/olmo. Prima dell’aggiornamento si ferma il servizio.',
    {
      before: 'Dalla guida:',
      after: 'È ancora valido?',
    },
  ),
  // Portuguese
  paste(
    'mail',
    'A sua candidatura foi aceite. O contrato começa a 2 de maio e o salário é pago em Lisboa.',
    {
      before: 'Recebi isto da empresa:',
    },
  ),
  paste(
    'page',
    'A vacina é obrigatória para viajantes. O certificado deve ser emitido dez dias antes da partida.',
    {
      before: 'Isso ainda vale?',
    },
  ),
  paste(
    'chat',
    'O cliente quer o relatório na sexta. A senha do portal é girassol e o acesso é pelo servidor antigo.',
    {
      before: 'Mensagem da Beatriz:',
    },
  ),
  paste(
    'log',
    'Tempo esgotado ao ligar a 10.0.4.7\nA tentar de novo em 5 segundos\nServiço de faturas parado',
    {
      before: 'o que significa',
    },
  ),
  // Dutch
  paste(
    'mail',
    'De huur stijgt per 1 juli met 4 procent. Het bedrag wordt automatisch afgeschreven op de derde werkdag.',
    {
      before: 'Dit stuurde de verhuurder:',
    },
  ),
  paste(
    'page',
    'De brug is afgesloten voor vrachtverkeer. Omleiding gaat via de Havenweg en kost ongeveer tien minuten.',
    {
      before: 'Hoe kom ik er dan?',
    },
  ),
  paste(
    'readme',
    'De standaardpoort is 9191. Het wachtwoord staat in het bestand geheim.txt. Herstart de dienst na elke wijziging.',
    {
      before: 'Uit de handleiding:',
      after: 'Klopt dat nog?',
    },
  ),
  paste(
    'chat',
    'Vanaf maandag werkt iedereen op de nieuwe server. De oude gaat vrijdag om vijf uur uit.',
    {
      before: 'vat dit samen',
    },
  ),
  // Polish
  paste(
    'mail',
    'Państwa przesyłka czeka w punkcie odbioru. Opłata za przechowanie wynosi 3 złote dziennie.',
    {
      before: 'Dostałem taką wiadomość:',
    },
  ),
  paste(
    'page',
    'Basen jest nieczynny do końca sierpnia. Karnety zostaną przedłużone automatycznie o dwa miesiące.',
    {
      before: 'Co to znaczy dla karnetu?',
    },
  ),
  paste(
    'readme',
    'Serwer nasłuchuje na porcie 6060. Hasło administratora to jaskółka. Logi trafiają do katalogu /var/olsza.',
    {
      before: 'Z dokumentacji:',
      after: 'Czy to bezpieczne?',
    },
  ),
  paste(
    'log',
    'Brak miejsca na dysku voda\nZapis kopii przerwany o 03:12\nNastępna próba za godzinę',
    {
      before: 'skąd ten błąd',
    },
  ),
  // Russian
  paste(
    'mail',
    'Ваша заявка одобрена. Деньги будут переведены на счёт в банке Рассвет до пятницы.',
    {
      before: 'Пришло сегодня от банка:',
    },
  ),
  paste(
    'page',
    'Поезд номер 14 отправляется с третьего пути. Билеты продаются только в кассе вокзала.',
    {
      before: 'Это ещё актуально?',
    },
  ),
  paste(
    'readme',
    'Порт по умолчанию 5151. Пароль хранится в файле ключ.txt. Служба перезапускается каждую ночь.',
    {
      before: 'Из инструкции:',
      after: 'Объясни второе предложение.',
    },
  ),
  paste(
    'chat',
    'Собрание перенесли на среду. Отчёт готовит Тимур, а платежи идут через новую фирму.',
    {
      before: 'переведи на английский',
    },
  ),
  // Turkish
  paste(
    'mail',
    'Aboneliğiniz 5 Mayıs’ta sona eriyor. Yenilemek için kart bilgilerini bu adrese gönderin.',
    {
      before: 'Bugün gelen mesaj:',
    },
  ),
  paste(
    'page',
    'Müze pazartesi günleri kapalıdır. Bilet gişesi saat dörtte kapanır ve fotoğraf çekmek yasaktır.',
    {
      before: 'Ne zaman gidilir?',
    },
  ),
  paste(
    'readme',
    'Sunucu 8181 numaralı bağlantı noktasını dinler. Parola menekşe olarak ayarlanmıştır. Yedekler her gece alınır.',
    {
      before: 'Kılavuzda şöyle yazıyor:',
      after: 'Bu doğru mu?',
    },
  ),
  paste('chat', 'Toplantı cumaya alındı. Ödemeler artık Deniz şirketinin hesabına yapılacak.', {
    before: 'şunu özetle',
  }),
  // Japanese
  paste(
    'mail',
    'お客様のアカウントは停止されました。再開するには本日中に暗証番号を入力してください。',
    {
      before: '銀行からこんなメールが来た：',
    },
  ),
  paste('page', '図書館は月曜日が休館です。本の貸し出しは一人五冊までで、期間は二週間です。', {
    before: 'どういう意味ですか？',
  }),
  paste(
    'readme',
    'サーバーはポート3131で待ち受けます。管理者の合言葉は「すみれ」です。毎晩二時に再起動します。',
    {
      before: '説明書より：',
      after: 'これは安全ですか？',
    },
  ),
  paste('chat', '会議は木曜日に変わりました。支払いは新しい会社の口座に送ってください。', {
    before: '英語に訳して',
  }),
]

/** Four typed prompts in each of the languages. */
export const TYPED_IN_LANGUAGES: readonly string[] = [
  'Merk dir bitte: Die Abnahme ist immer dienstags, und Frau Lindner unterschreibt.',
  'Ich arbeite mit einer kleinen Druckerei zusammen. Die Farben müssen als CMYK geliefert werden. Kannst du eine Checkliste schreiben?',
  'Drei Wünsche für die Seite:\n- größere Schrift\n- keine Animationen\n- Kontakt ganz oben',
  'Der Hund heißt Bruno und ist neun Jahre alt. Er frisst nur Nassfutter.\n\nSchreib mir bitte einen Zettel für die Nachbarin.',
  'Je préfère le train à l’avion, même si c’est plus long. Mon budget est de 300 euros.',
  'Note bien ceci : notre fournisseur ne livre que le mercredi.',
  'Mes règles pour le code :\n1. pas de tabulations\n2. des tests pour chaque module\n3. des noms en anglais',
  'La voiture est une Kangoo de 2014. Elle a 180 000 km.\n\nTu peux me dire quelles révisions sont à prévoir ?',
  'Soy alérgico a los frutos secos y vivo en Zaragoza. Busca recetas rápidas para la cena.',
  'Dos cosas: el piso mide 70 metros y la mudanza es el 15.',
  'Quiero tres cambios:\n- el botón en verde\n- el título más corto\n- quitar el pie de página',
  'Mi hija empieza el colegio en septiembre. El colegio está a veinte minutos andando.\n\n¿Qué mochila recomiendas?',
  'Lavoro in uno studio di architettura e usiamo solo software libero. Ricordatelo per favore.',
  'La regola è semplice: niente riunioni il venerdì.',
  'Per la festa mi servono:\n- venti sedie\n- due tavoli\n- una torta senza glutine',
  'Il mio gatto si chiama Pepe e ha paura dei temporali. Come posso calmarlo?',
  'Prefiro respostas curtas e em português de Portugal. Trabalho com seguros.',
  'Lembra-te disto: o nosso prazo é dia 20, não dia 25.',
  'Preciso de duas coisas:\n1. um resumo da semana\n2. uma lista de tarefas',
  'O meu carro não pega de manhã quando está frio. A bateria é nova e o motor de arranque foi trocado. O que pode ser?',
  'Ik eet geen vlees en mijn man is allergisch voor pinda’s. Maak een weekmenu.',
  'Onthoud dit: wij factureren altijd in ponden.',
  'Mijn wensen voor de tuin:\n- een appelboom\n- geen gras\n- een bankje in de schaduw',
  'De vergadering is elke maandag om tien uur. Ik wil graag een herinnering een uur van tevoren.',
  'Mieszkam w Gdańsku i dojeżdżam do pracy rowerem. Potrzebuję kurtki przeciwdeszczowej do 400 złotych.',
  'Zapamiętaj: nasz magazyn jest zamknięty w soboty.',
  'Chcę trzech zmian:\n- większe przyciski\n- ciemny motyw\n- krótsze menu',
  'Moja mama ma osiemdziesiąt lat i nie lubi schodów. Znajdź nam hotel z windą.',
  'Я живу в Казани и работаю учителем. Отвечай мне коротко.',
  'Запомни: наш офис закрыт по пятницам.',
  'Мне нужно две вещи:\n1. план на неделю\n2. список покупок',
  'Моя собака не ест сухой корм. Ей три года, и она весит двадцать килограммов. Что посоветуешь?',
  'İzmir’de yaşıyorum ve vejetaryenim. Bana hafta sonu için bir menü yaz.',
  'Şunu unutma: bizim teslim günümüz perşembe.',
  'Üç isteğim var:\n- daha büyük yazı\n- koyu renk\n- kısa cümleler',
  'Kızım sekiz yaşında ve satranç oynamayı seviyor. Ona bir kitap önerir misin?',
  '私は京都に住んでいて、魚が苦手です。夕食の献立を考えてください。',
  '覚えておいて：うちの店は水曜日が定休日です。',
  'お願いが二つあります：\n1. 文章を短くする\n2. 敬語を使わない',
  '息子は六歳で、電車が大好きです。週末に行ける場所を教えてください。',
]
