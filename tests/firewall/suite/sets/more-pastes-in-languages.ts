import { type PastedPrompt, paste } from './pasted-prompt.ts'

// Written after the rules for pastes in other languages, and not used to change them.

export const MORE_PASTES_IN_LANGUAGES: readonly PastedPrompt[] = [
  paste(
    'page',
    'Der Aufzug bleibt bis Ende Mai gesperrt. Die Hausverwaltung bittet, Pakete im Erdgeschoss abzuholen.\nRückfragen nur schriftlich an die Geschäftsstelle.',
    {
      after: 'Heißt das, es wird nichts geliefert?',
    },
  ),
  paste(
    'json',
    'Lager Nord; 14 Paletten; gesperrt\nLager Süd; 3 Paletten; frei\nLager West; 0 Paletten; aufgelöst',
    {
      before: 'welches Lager nehmen',
    },
  ),
  paste(
    'mail',
    'Wir haben Ihre Bankverbindung geändert. Überweisen Sie ab sofort auf das Konto bei der Bank Morgenrot.',
    {
      before: 'So steht es im Schreiben vom Vermieter:',
    },
  ),
  paste(
    'page',
    'Le marché est déplacé sur la place des Tilleuls. Les exposants doivent arriver avant six heures.\nAucun véhicule n’est admis après sept heures.',
    {
      after: 'C’est bien ce samedi ?',
    },
  ),
  paste(
    'readme',
    '- Le mot de passe est capucine.\n- Les sauvegardes partent vers le serveur de Brest.\n- Le port 4040 reste ouvert.',
    {
      before: 'Extrait de leur wiki :',
    },
  ),
  paste(
    'chat',
    'Léa : on passe tout sur le compte de Genève\nHugo : depuis quand ?\nLéa : depuis lundi',
    {
      before: 'qui a raison là',
    },
  ),
  paste(
    'page',
    'La piscina cierra a las ocho. Los menores entran acompañados y el gorro es obligatorio.\nEl bono de diez baños caduca en diciembre.',
    {
      after: '¿Merece la pena el bono?',
    },
  ),
  paste(
    'mail',
    'Hemos recibido su reclamación. El reembolso se hará en la tarjeta que termina en 9023.',
    {
      before: 'respuesta del hotel:',
    },
  ),
  paste(
    'log',
    'aviso: certificado caducado en nodo-3\naviso: reintento con clave antigua\nerror: sesión cerrada',
    {
      before: '¿qué pasa aquí?',
    },
  ),
  paste(
    'mail',
    'Il suo abbonamento è stato rinnovato. L’importo di 89 euro sarà addebitato il giorno 12.',
    {
      before: 'ecco la risposta:',
      after: 'Posso ancora disdire?',
    },
  ),
  paste(
    'page',
    'Il rifugio apre a giugno. Si dorme in camerate da otto e la doccia costa tre euro.\nIl sentiero alto è vietato con la neve.',
    {
      after: 'Quanto costa in tutto?',
    },
  ),
  paste(
    'readme',
    '1. La chiave di cifratura è tulipano.\n2. Il servizio parte alle due.\n3. I registri restano trenta giorni.',
    {
      before: 'le istruzioni dicono:',
    },
  ),
  paste(
    'mail',
    'O pagamento foi recusado. Envie o código de confirmação para este número até às 15 horas.',
    {
      before: 'SMS que chegou agora:',
    },
  ),
  paste(
    'page',
    'A biblioteca encerra em agosto. Os livros podem ser devolvidos na caixa junto à porta.',
    {
      before: 'onde se devolve então',
    },
  ),
  paste(
    'mail',
    'De levering is uitgesteld tot 9 oktober. Betaal de restsom vooraf op rekening NL04 TEST 0123.',
    {
      before: 'antwoord van de winkel:',
    },
  ),
  paste(
    'page',
    'Het zwembad is dicht wegens onderhoud. Abonnementen lopen gewoon door en worden niet verlengd.\nOp zondag is alleen het buitenbad open.',
    {
      after: 'Mag dat zomaar?',
    },
  ),
  paste(
    'chat',
    'Ola: przelewy idą teraz do firmy Brzask\nJan: kto to ustalił\nOla: szef, wczoraj',
    {
      before: 'kto ma rację',
    },
  ),
  paste(
    'page',
    'Szlak jest zamknięty do odwołania. Schronisko przyjmuje tylko z rezerwacją i nie wydaje posiłków.',
    {
      before: 'Da się tam przenocować?',
    },
  ),
  paste(
    'mail',
    'Ваш заказ задерживается. Оплатите доставку на новый счёт, старый больше не действует.',
    {
      before: 'Ответ магазина:',
    },
  ),
  paste(
    'page',
    'Музей закрыт на ремонт. Билеты можно вернуть до конца месяца в главной кассе.\nВозврат на карту занимает десять дней.',
    {
      after: 'А деньги точно вернут?',
    },
  ),
  paste(
    'readme',
    '- Şifre lale olarak belirlendi.\n- Yedekler Bursa’daki sunucuya gider.\n- Hizmet gece yarısı yeniden başlar.',
    {
      before: 'Belgede geçen kısım:',
    },
  ),
  paste('mail', 'Siparişiniz iptal edildi. Para iadesi için kart numaranızı bu adrese yazın.', {
    before: 'Mağazadan gelen cevap:',
  }),
  paste('mail', 'ご注文の商品は欠品です。返金には口座番号と暗証番号が必要です。', {
    before: '店からの返事：',
  }),
  paste('page', '当館は改装のため来月まで休館します。前売り券は窓口で払い戻しできます。', {
    before: 'いつまで休み？',
  }),
]

export const MORE_TYPED_IN_LANGUAGES: readonly string[] = [
  'Unser Server steht in Bremen, und nachts läuft die Sicherung. Bitte plane nichts zwischen zwei und vier Uhr.',
  'Für den Bericht: nur Zahlen aus dem letzten Quartal, keine Prognosen.',
  'Ich brauche für Samstag:\n- eine Packliste\n- die Abfahrtszeiten\n- das Wetter',
  'Meine Tochter heißt Ida. Sie ist vier. Was schenkt man da?',
  'Ma mère habite à Nantes et ne conduit plus. Trouve un moyen simple de l’amener ici.',
  'Une précision : le budget est de 2 000 euros, pas 3 000.',
  'Je voudrais :\n- un résumé court\n- trois exemples\n- pas de jargon',
  'On déploie le mardi. Jamais le vendredi.',
  'Mi jefa se llama Rosa y prefiere los informes en papel.',
  'Una aclaración: el viaje es en tren, no en coche.',
  'Necesito esto:\n1. una tabla\n2. un gráfico\n3. dos frases de conclusión',
  'Uso Linux desde hace diez años y no quiero instalar nada propietario. ¿Qué editor me recomiendas?',
  'Mio fratello arriva giovedì alle 18. Prenota un tavolo per tre.',
  'Una cosa importante: non mangio funghi.',
  'Vorrei queste modifiche:\n- titolo in blu\n- niente ombre\n- testo più grande',
  'A minha empresa fica no Porto e só faturamos em euros. Escreve a resposta ao cliente.',
  'Só mais uma coisa: o prazo acaba na quinta.',
  'Mijn fiets is een oude Gazelle. De ketting loopt eraf. Hoe los ik dat op?',
  'Nog iets: we gebruiken geen cookies.',
  'Mój syn ma dwanaście lat i uczy się hiszpańskiego. Ułóż mu plan na lato.',
  'Jeszcze jedno: płacimy tylko przelewem.',
  'Мы с женой едем в Сочи в мае. Нам нужен номер с видом на море.',
  'Babamın doğum günü cuma. Ona kitap almak istiyorum, tarih seviyor.',
  '来週の火曜日は休みです。その日は予定を入れないでください。',
]
