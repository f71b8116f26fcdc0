/**
 * Kinds that people name and WordNet has otherwise or not at all: it files a dog under no pet and
 * a nurse under no job. A word stands for its most used sense, and brings its own kinds along.
 */
export const EVERYDAY_KINDS: Readonly<Record<string, string>> = {
  pet: 'dog cat puppy kitten hamster gerbil rabbit parrot parakeet canary budgerigar goldfish tortoise turtle lizard gecko ferret hedgehog pony guinea_pig tarantula',
  hobby:
    'pastime sport game dance photography pottery painting#2 drawing knitting crochet sewing embroidery quilting gardening cooking baking#1 fishing hunting hiking camping reading singing woodworking carpentry origami calligraphy chess#2 yoga running#5 cycling swimming climbing astronomy',
  pastime: 'hobby',
  job: 'profession trade worker professional skilled_worker teacher nurse engineer lawyer manager',
  occupation: 'worker professional',
  profession: 'professional engineer lawyer doctor teacher nurse',
  career: 'profession worker professional',
  drink: 'beverage coffee tea juice wine beer',
  family: 'relative',
  relative:
    'spouse parent child#2 sibling brother sister aunt uncle cousin grandparent niece nephew',
  sibling: 'brother sister twin',
  partner: 'spouse girlfriend boyfriend fiance fiancee',
  kid: 'child#2 son daughter toddler baby',
  children: 'child child#2 son daughter toddler baby',
  instrument: 'musical_instrument',
  book: 'novel biography memoir cookbook textbook thriller',
  movie: 'documentary comedy thriller western musical',
  music: 'jazz rock#5 blues#2 opera symphony folk_music hip-hop reggae techno',
  school: 'university college kindergarten academy',
  exercise: 'yoga running#5 jogging swimming weightlifting cycling pilates calisthenics',
  workout: 'yoga running#5 jogging swimming weightlifting cycling pilates',
  craft: 'pottery knitting crochet sewing woodworking weaving embroidery origami',
  doctor: 'dentist surgeon pediatrician cardiologist dermatologist psychiatrist',
  gadget: 'telephone laptop camera headphone smartphone tablet television',
  device: 'telephone laptop camera smartphone tablet',
  clothing: 'garment footwear hat scarf',
  clothes: 'garment footwear hat scarf',
  illness: 'disease migraine influenza asthma diabetes cold',
  medicine: 'antibiotic aspirin ibuprofen insulin penicillin antihistamine',
  medication: 'antibiotic aspirin ibuprofen insulin penicillin antihistamine',
  trip: 'vacation cruise voyage safari trek pilgrimage',
  holiday: 'vacation christmas easter thanksgiving hanukkah diwali',
  food: 'dish fruit vegetable meat cheese dessert bread',
  meal: 'breakfast lunch dinner brunch supper',
  home: 'house apartment flat#1 condominium cottage',
  furniture: 'sofa mattress bookshelf',
  vehicle: 'car bicycle motorcycle truck van boat',
  weather: 'rain snow storm fog hail thunderstorm hurricane',
  feeling: 'emotion',
  dessert: 'cake pie ice_cream pudding cookie',
}

/** Names of things that WordNet does not know. */
export const NAMED_KINDS: Readonly<Record<string, string>> = {
  database: 'postgres postgresql sqlite mysql mariadb mongodb redis cassandra dynamodb duckdb',
  language:
    'python typescript javascript rust golang java kotlin ruby php haskell scala elixir csharp perl',
  editor: 'vim neovim emacs vscode nano intellij sublime',
  framework: 'react vue angular svelte django flask rails laravel nextjs express fastapi',
  browser: 'firefox chrome safari edge',
  cloud: 'aws azure gcp heroku vercel netlify cloudflare',
  system: 'linux windows macos ubuntu debian fedora android ios',
  distribution: 'ubuntu debian fedora arch gentoo nixos',
  tool: 'docker kubernetes terraform ansible jenkins git webpack',
  phone: 'iphone android pixel',
  linter: 'eslint biome ruff pylint flake8 clippy stylelint rubocop oxlint',
  formatter: 'prettier biome black gofmt rustfmt',
  bundler: 'webpack vite rollup esbuild parcel rolldown',
  runner: 'vitest jest mocha pytest junit playwright cypress',
  queue: 'rabbitmq kafka sqs nats',
}
