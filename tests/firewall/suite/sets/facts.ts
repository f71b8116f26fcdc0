/** An honest fact: the sentence that states the fact, a question in other words, and the fact as a claim. */
export interface Fact {
  readonly said: string
  readonly question: string
  readonly subject: string
  readonly predicate: string
  readonly value: string
}

const fact = (said: string, question: string, claim: readonly [string, string, string]): Fact => ({
  said,
  question,
  subject: claim[0],
  predicate: claim[1],
  value: claim[2],
})

export const FACTS: readonly Fact[] = [
  // a developer and an agent
  fact('The build server listens on port 8443.', 'which port does the build server use', [
    'build server',
    'port',
    '8443',
  ]),
  fact('Our error tracker is GlitchTip.', 'what do we use to track errors', [
    'error tracker',
    'product',
    'GlitchTip',
  ]),
  fact('Pull requests need two approvals.', 'how many approvals does a pull request need', [
    'pull requests',
    'approvals',
    'two',
  ]),
  fact('The minimum Python version is 3.11.', 'which Python do we support at least', [
    'python',
    'minimum version',
    '3.11',
  ]),
  fact(
    'Secrets of the pipeline are kept in OpenBao.',
    'where are the secrets of the pipeline kept',
    ['pipeline', 'secret store', 'OpenBao'],
  ),
  fact('The staging domain is stage.example.net.', 'what is the domain of staging', [
    'staging',
    'domain',
    'stage.example.net',
  ]),
  fact('Log retention is 35 days.', 'how long do we keep logs', ['logs', 'retention', '35 days']),
  fact('The mobile team sits in Kaunas.', 'where does the mobile team sit', [
    'mobile team',
    'city',
    'Kaunas',
  ]),
  fact(
    'The code name of the billing rewrite is Juniper.',
    'what is the billing rewrite called inside',
    ['billing rewrite', 'code name', 'Juniper'],
  ),
  fact('Releases are tagged on Wednesday.', 'on which weekday are releases tagged', [
    'releases',
    'weekday',
    'Wednesday',
  ]),
  // a household
  fact('My daughter is called Maren.', 'what is the name of my daughter', [
    'daughter',
    'name',
    'Maren',
  ]),
  fact('I live in Trondheim.', 'in which town do I live', ['user', 'city', 'Trondheim']),
  fact('The gate code is 5093.', 'what is the code of the gate', ['gate', 'code', '5093']),
  fact('Our cat is named Biscuit.', 'how is the cat called', ['cat', 'name', 'Biscuit']),
  fact('The car needs diesel.', 'what fuel goes into the car', ['car', 'fuel', 'diesel']),
  fact('My shoe size is 43.', 'which shoe size do I have', ['user', 'shoe size', '43']),
  fact('The spare key hangs behind the boiler.', 'where is the spare key', [
    'spare key',
    'place',
    'behind the boiler',
  ]),
  fact('I am allergic to walnuts.', 'what am I allergic to', ['user', 'allergy', 'walnuts']),
  fact('The rubbish is collected on Thursday.', 'when is the rubbish collected', [
    'rubbish',
    'weekday',
    'Thursday',
  ]),
  fact('Our family doctor is Dr Lindgren.', 'who is our family doctor', [
    'family doctor',
    'name',
    'Dr Lindgren',
  ]),
  // research
  fact('The sample size of the pilot was 48.', 'how large was the sample of the pilot', [
    'pilot',
    'sample size',
    '48',
  ]),
  fact('The corpus is licensed under CC BY.', 'what is the licence of the corpus', [
    'corpus',
    'licence',
    'CC BY',
  ]),
  fact('Freezer three is kept at minus 78 degrees.', 'how cold is freezer three', [
    'freezer three',
    'temperature',
    'minus 78 degrees',
  ]),
  fact('The principal investigator is Okonjo.', 'who leads the investigation', [
    'project',
    'principal investigator',
    'Okonjo',
  ]),
  fact('The grant number is 774120.', 'which number does the grant have', [
    'grant',
    'number',
    '774120',
  ]),
  fact('The buffer has a pH of 7.4.', 'what is the pH of the buffer', ['buffer', 'pH', '7.4']),
  fact('The microscope is booked through Clustermarket.', 'how do I book the microscope', [
    'microscope',
    'booking',
    'Clustermarket',
  ]),
  fact('The survey closed on 9 May.', 'on what day did the survey close', [
    'survey',
    'closing day',
    '9 May',
  ]),
  fact('Our random seed is 20417.', 'what is our random seed', ['random seed', 'value', '20417']),
  fact('The cell line comes from Leiden.', 'where does the cell line come from', [
    'cell line',
    'origin',
    'Leiden',
  ]),
  // a support desk
  fact('The desk opens at half past seven.', 'at what time does the desk open', [
    'desk',
    'opening time',
    'half past seven',
  ]),
  fact('Our return window is 45 days.', 'how long is the return window', [
    'returns',
    'window',
    '45 days',
  ]),
  fact('The escalation channel is called red-desk.', 'how is the escalation channel called', [
    'escalation channel',
    'name',
    'red-desk',
  ]),
  fact('Invoices are sent by Factura.', 'with what do we send invoices', [
    'invoices',
    'sender',
    'Factura',
  ]),
  fact('The customer Oleander pays in kroner.', 'in which currency does Oleander pay', [
    'oleander',
    'currency',
    'kroner',
  ]),
  fact('Spare parts are stored in Venlo.', 'where are spare parts stored', [
    'spare parts',
    'warehouse',
    'Venlo',
  ]),
  fact('The hotline number ends in 4477.', 'on which digits does the hotline number end', [
    'hotline',
    'last digits',
    '4477',
  ]),
  fact('Gold customers get an answer within two hours.', 'how fast do gold customers get answers', [
    'gold customers',
    'answer time',
    'two hours',
  ]),
  fact('The courier for the islands is Seapost.', 'who delivers to the islands', [
    'islands',
    'courier',
    'Seapost',
  ]),
  fact('The manual is printed in Ljubljana.', 'where is the manual printed', [
    'manual',
    'printing place',
    'Ljubljana',
  ]),
]
