/** Seed requirements S: the stack, its protocol and its components. */
export const STACK = {
  'S-01':
    'Keeping, finding, searching and tending memories is all a stack does; models and plugins are unknown to it.',
  'S-02':
    'A stack works with no core, one or several, and stays as it is when models or plugins are changed.',
  'S-03': 'A stack tells its stackId, its schemaVersion and its components by name.',
  'S-04': 'saveEpisode answers with the id of the episode.',
  'S-05': 'saveBelief answers with the id of the belief.',
  'S-06': 'saveValue answers with the id of the value.',
  'S-07': 'saveGoal answers with the id of the goal.',
  'S-08': 'saveNote answers with the id of the note.',
  'S-09': 'saveDrive answers with the id of the drive.',
  'S-10': 'saveRelationship answers with the id of the relationship.',
  'S-11': 'saveRaw answers with the id of the raw capture.',
  'S-12': 'savePlaybook answers with the id of the playbook.',
  'S-13': 'saveEpoch answers with the id of the epoch.',
  'S-14': 'saveSummary answers with the id of the summary.',
  'S-15': 'saveSelfNarrative answers with the id of the narrative.',
  'S-16': 'saveSuggestion answers with the id of the suggestion.',
  'S-17':
    'updateDriveAtomic answers true when it wrote, false when the drive is gone, and throws VersionConflictError when expectedVersion is out of date.',
  'S-18':
    'updateRelationshipAtomic answers true when it wrote, false when the relationship is gone, and throws VersionConflictError when expectedVersion is out of date.',
  'S-19': 'getSuggestion gives the suggestion with that id, or nothing.',
  'S-20':
    'getSuggestions can be narrowed by status, memoryType, minConfidence, maxAgeHours and sourceRawId, and gives 100 unless limit says otherwise.',
  'S-21':
    'acceptSuggestion turns a suggestion, modified if wished, into an episode, belief, note, goal, value, relationship or drive with whole provenance, marks it promoted and answers with the new id.',
  'S-22':
    'acceptSuggestion answers with nothing for a suggestion that is absent, no longer pending or refused by lint.',
  'S-23': 'dismissSuggestion takes a reason and answers whether anything was dismissed.',
  'S-24':
    'saveEpisodesBatch, saveBeliefsBatch and saveNotesBatch answer with one id for each item.',
  'S-25':
    'getEpisodes knows tags, context, includeWeak and includeForgotten, and a limit that is 50 unless given.',
  'S-26':
    'getBeliefs knows beliefType, minConfidence, includeWeak and includeForgotten, and a limit that is 50 unless given.',
  'S-27':
    'getValues knows context, includeWeak and includeForgotten, and a limit that is 50 unless given.',
  'S-28':
    'getGoals knows status, context, includeWeak and includeForgotten, and a limit that is 50 unless given.',
  'S-29':
    'getNotes knows noteType, context, includeWeak and includeForgotten, and a limit that is 50 unless given.',
  'S-30': 'getDrive gives the drive of that driveType, or nothing.',
  'S-31': 'getDrives shows expired drives too when includeExpired is set.',
  'S-32': 'getRelationship gives the relationship with that entityName, or nothing.',
  'S-33': 'getRelationships can be narrowed by entityId, entityType and minTrust.',
  'S-34': 'getRaw can be narrowed by tags and gives 50 unless limit says otherwise.',
  'S-35': 'getMemory gives the memory of that kind and id, or nothing.',
  'S-36': 'The strength of a memory at birth is 1.0.',
  'S-37': 'A strong memory (0.8 to 1.0) loads at full priority, is searched and is listed.',
  'S-38': 'A fading memory (0.5 to 0.8) loads at lower priority, is searched and is listed.',
  'S-39':
    'A weak memory (0.2 to 0.5) is left out of load, is searched, and is listed with includeWeak.',
  'S-40': 'A dormant memory (0 to 0.2) appears only in lists with includeForgotten.',
  'S-41': 'A forgotten memory (0) appears only in lists with includeForgotten.',
  'S-42':
    'search looks by meaning through every kind, takes recordTypes, context and minConfidence, and gives 10 unless limit says otherwise.',
  'S-43': 'Components see the results of a search and may reorder or drop some.',
  'S-44':
    'load fills a tokenBudget (8000 unless given), minding context, with values, beliefs, goals, episodes, notes, relationships, summaries and self-narratives.',
  'S-45': 'Each recordAccess makes a memory a little stronger.',
  'S-46': 'updateMemoryMeta changes the confidence and the tags of a memory.',
  'S-47': 'forgetMemory takes kind, id and reason, and deletes softly.',
  'S-48': 'recoverMemory undoes forgetting.',
  'S-49': 'protectMemory keeps a memory from being forgotten until the guard is lifted.',
  'S-50':
    'saveTrustAssessment keeps an assessment; getTrustAssessments finds it by entityId and domain.',
  'S-51': 'computeTrust gives a figure for an entityId, within a domain if one is named.',
  'S-52':
    'promote, for a context if given, sees what recurs in episodes and makes beliefs of the lessons they share.',
  'S-53':
    'applyForgetting sweeps by salience and spares identity kinds unless protectIdentity is false.',
  'S-54': 'A stack offers sync, pullChanges since a moment, getPendingSyncCount and isOnline.',
  'S-55': 'getStats gives the number of memories of each kind.',
  'S-56':
    'dump writes the stack out, as markdown unless told otherwise, with raw and forgotten memories on request.',
  'S-57': 'export writes the stack to a path in the format asked for.',
  'S-58':
    'A stack is told of a core coming (onAttach), of it leaving (onDetach) and of a changed model (onModelChanged).',
  'S-59':
    'A stack comes with embedding, forgetting, consolidation, emotions, anxiety, suggestions, metamemory and knowledge.',
  'S-60': 'An empty list of components opens a bare stack.',
  'S-61': 'Components can be put in, looked up and taken out, except that a required one stays.',
  'S-62': 'maintenance lets each component work and reports figures under its name.',
  'S-63': 'A stack enforces provenance unless it was opened with enforcement off.',
  'S-64':
    'The embedding component cannot be left out, uses inference, and makes and keeps the vectors that search uses.',
  'S-65': 'The forgetting component fades memories by salience and needs no inference.',
  'S-66': 'The consolidation component uses inference to make beliefs out of episodes.',
  'S-67': 'The emotions component uses inference to read valence and arousal.',
  'S-68':
    'The anxiety component watches health figures without inference and puts its level and dimensions into load.',
  'S-69': 'The suggestions component uses inference to draw patterns from recent memories.',
  'S-70': 'The metamemory component follows confidence and access without inference.',
  'S-71': 'The knowledge component keeps the links between memories without inference.',
  'S-72': 'When a component fails, the operation that called it still succeeds.',
  'S-73':
    'After each save, onSave gets kind, id and memory; the fields it returns are kept, and returning none changes none.',
  'S-74': 'onSearch hands the results from component to component in the order of registration.',
  'S-75': 'onLoad lets a component add to the working memory.',
  'S-76': 'onMaintenance works in the background and reports figures.',
  'S-77':
    'Load priority starts at 0.95 for decade summaries, 0.90 values and self-narratives, 0.85 epoch and 0.80 year summaries, 0.70 beliefs, 0.65 goals, 0.60 drives, 0.40 episodes, 0.35 notes, 0.30 relationships.',
  'S-78':
    'Load priority grows with the priority of a value, the confidence of a belief, the intensity of a drive.',
  'S-79':
    'load cuts an item between words at 500 characters, counts a token for four characters plus 30 %, defaults to 8,000 tokens and goes no higher than 50,000.',
  'S-80':
    'A search goes through match (by vector if there are any, by text if not), conversion, confidence filter and components, in that order.',
  'S-81': 'Each search result names memory type and id and has content, score and metadata.',
  'S-82':
    'Before it calls the stack, the core has filled in source, source type, times, context tags and lineage.',
  'S-83': 'With no core attached, a stack still opens, answers, exports and maintains itself.',
} as const
