/** A question that only tier 1 answers, beside notes of the person that share its words. */
export interface HonestQuestion {
  readonly question: string
  /** Tier 1 says it, and answers. */
  readonly answer: string
  /** The person says them; they are about the same things and answer something else. */
  readonly notes: readonly string[]
}

export const SECOND_HONEST: readonly HonestQuestion[] = (
  [
    [
      'when does the night bus to the stadium leave',
      'The night bus to the stadium leaves at 23:40.',
      'The night bus to the stadium is always full.',
      'I dislike the stadium bus.',
    ],
    [
      'who painted the ceiling of the chapel',
      'The ceiling of the chapel was painted by Tiepolo.',
      'We want a photo of the chapel ceiling on the cover.',
      'The chapel is closed in January.',
    ],
    [
      'which version of the parser fixed the memory leak',
      'The memory leak was fixed in version 4.2.1 of the parser.',
      'The parser had a memory leak that annoyed Jonas.',
      'Please do not upgrade the parser before the demo.',
    ],
    [
      'how much does the ferry to the island cost',
      'A trip with the ferry to the island costs 14 euros.',
      'On the ferry to the island I get seasick.',
      'Book the ferry for four people.',
    ],
    [
      'where was the meteorite of the museum found',
      'The meteorite of the museum was found near Twannberg.',
      'Put the meteorite of the museum on the tour.',
      'The museum lends us its meteorite for a week.',
    ],
    [
      'what causes the error E42 of the dishwasher',
      'The dishwasher shows error E42 when the drain hose is bent.',
      'The dishwasher shows the error E42 again.',
      'I called the shop about the dishwasher.',
    ],
    [
      'how tall is the tower of the town hall',
      'The tower of the town hall is 61 metres tall.',
      'Meet me at the tower of the town hall.',
      'The hall of the town is booked for the fair.',
    ],
    [
      'who wrote the waltz that the orchestra opens with',
      'The waltz that the orchestra opens with was written by Lehár.',
      'The orchestra opens with a waltz this year.',
      'My mother loves the waltz.',
    ],
    [
      'which flag does the tanker sail under',
      'The tanker sails under the flag of Malta.',
      'The tanker is late again, so watch it.',
      'Our flag needs washing.',
    ],
    [
      'what is the boiling point of the solvent',
      'The solvent has a boiling point of 56 degrees.',
      'The solvent stands under the hood.',
      'Order more of the solvent before it runs out.',
    ],
    [
      'when was the bridge over the gorge opened',
      'The bridge over the gorge was opened in 1931.',
      'I am afraid of the bridge over the gorge.',
      'The bridge is on our route to the hut.',
    ],
    [
      'how many calories are in the oat bar',
      'The oat bar has 212 calories.',
      'I eat an oat bar before training.',
      'Oat bars go on the shopping list.',
    ],
    [
      'which port does the metrics exporter listen on',
      'The metrics exporter listens on port 9464.',
      'The metrics exporter must be off in the demo.',
      'Ask Lena about the exporter of metrics.',
    ],
    [
      'who owns the patent on the hinge',
      'The patent on the hinge is owned by Blum.',
      'The hinge squeaks, look into it.',
      'We might need a patent for our own hinge.',
    ],
    [
      'where does the river cross the border',
      'The river crosses the border at Hohenau.',
      'We paddle down the river up to the border.',
      'The river was high at the border last week.',
    ],
    [
      'what does the warranty of the drill cover',
      'The warranty of the drill covers the motor for three years.',
      'The warranty card of the drill is in the drawer.',
      'The drill is with my neighbour.',
    ],
    [
      'how fast does the lift of the tower climb',
      'The lift of the tower climbs 6 metres a second.',
      'The lift of the tower makes me dizzy.',
      'Take the lift at the tower, not the stairs.',
    ],
    [
      'which bacteria spoil the cheese of the alp',
      'The cheese of the alp is spoilt by clostridia.',
      'The cheese of the alp spoilt twice this summer.',
      'Buy cheese of the alp for the party.',
    ],
    [
      'who was elected treasurer of the federation',
      'The federation elected Ms Ruud as treasurer.',
      'I want to write to the treasurer of the federation.',
      'The federation has a meeting in May.',
    ],
    [
      'when does the visa for Kenya expire',
      'The visa for Kenya expires on 9 October.',
      'The visa for Kenya was expensive.',
      'Kenya is the trip I look forward to.',
    ],
    [
      'what is the pronunciation of the village name',
      'The name of the village is pronounced with a silent s.',
      'Nobody here can say the name of the village.',
      'The village is where my aunt lives.',
    ],
    [
      'how often does the glacier observatory publish data',
      'The glacier observatory publishes data every six hours.',
      'The data of the glacier observatory go into chapter two.',
      'Thank the observatory of the glacier in the preface.',
    ],
    [
      'which chapter explains the harbour tariff',
      'The harbour tariff is explained in chapter 9.',
      'The harbour tariff is unfair to small boats.',
      'Explain the tariff of the harbour to Piet.',
    ],
    [
      'who repairs the organ of the cathedral',
      'The organ of the cathedral is repaired by the firm Rieger.',
      'The organ of the cathedral must be repaired before the festival.',
      'I recorded the cathedral organ.',
    ],
    [
      'where can we rent a tandem on the coast',
      'Tandems on the coast are rented out at Punat.',
      'We would like to rent a tandem on the coast.',
      'A tandem is not for children.',
    ],
    [
      'what is the limit of the free plan of the map service',
      'The free plan of the map service has a limit of 50,000 tiles.',
      'We are on the free plan of the map service.',
      'The map service was down on our launch day.',
    ],
    [
      'how long does the glue of the canoe dry',
      'The glue of the canoe dries for two days.',
      'The glue for the canoe is in the shed.',
      'The canoe leaks at the bow.',
    ],
    [
      'which enzyme does the test kit detect',
      'The enzyme that the test kit detects is amylase.',
      'The test kit must stay in the fridge.',
      'We ordered a test kit for the enzyme course.',
    ],
    [
      'who directs the film about the lighthouse',
      'The film about the lighthouse is directed by Okonedo.',
      'I want to see the film about the lighthouse.',
      'The lighthouse is on our way.',
    ],
    [
      'when do the swifts return to the old mill',
      'The swifts return to the old mill around 2 May.',
      'The swifts at the old mill are my favourite sight.',
      'The mill is being restored, mind the swifts.',
    ],
  ] as const
).map(([question, answer, ...notes]) => ({ question, answer, notes }))
