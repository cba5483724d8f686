// Written by api/openapi/openapi-write.ts from the OpenAPI document: do not edit.
// biome-ignore-all format: generated

export const AcceptInviteBody = {
  token: { minLength: 1, maxLength: 512 },
  password: { minLength: 12, maxLength: 128 },
} as const;
export const AddContactsBody = {
  contacts: { minItems: 1, maxItems: 1000, items: { name: { maxLength: 200 }, email: { maxLength: 254 }, variables: { names: { maxLength: 64 }, values: { maxLength: 1000 } }, metadata: { names: { maxLength: 64 }, values: { maxLength: 1000 } } } },
} as const;
export const AddDoNotCallBody = { reason: { maxLength: 1000 } } as const;
export const AddDocumentBody = {
  name: { minLength: 1, maxLength: 200 },
  text: { minLength: 1, maxLength: 900000 },
  url: { maxLength: 2000 },
  refreshHours: { minimum: 1, maximum: 720 },
} as const;
export const AddInventoryBody = {
  numbers: { minItems: 1, maxItems: 1000, items: { capabilities: { minItems: 1 }, monthlyCost: { minimum: 0, maximum: 10000 } } },
  capabilities: { minItems: 1 },
  monthlyCost: { minimum: 0, maximum: 10000 },
} as const;
export const AddTestCaseBody = {
  name: { minLength: 1, maxLength: 200 },
  position: { minimum: 0, maximum: 1000000 },
} as const;
export const BeginConversationBody = { campaignId: { minLength: 1 }, to: { minLength: 1, maxLength: 40 } } as const;
export const BeginWidgetCallBody = { captcha: { maxLength: 8192 } } as const;
export const ChangePasswordBody = {
  currentPassword: { minLength: 1, maxLength: 1024 },
  newPassword: { minLength: 12, maxLength: 128 },
} as const;
export const ConnectCalendarBody = {
  url: { minLength: 1, maxLength: 2000 },
  calendar: { minLength: 1, maxLength: 500 },
  name: { minLength: 1, maxLength: 200 },
  resource: { minLength: 1, maxLength: 80 },
  username: { minLength: 1, maxLength: 200 },
  password: { minLength: 1, maxLength: 500 },
  signIn: { maxLength: 60 },
} as const;
export const ControlCallBody = {
  text: { minLength: 1, maxLength: 1000 },
  when: { default: 'pause' },
  digits: { maxLength: 40 },
  minDigits: { minimum: 1, maximum: 24 },
  maxDigits: { minimum: 1, maximum: 24 },
  to: { maxLength: 64 },
  by: { maxLength: 64 },
  listenerId: { minLength: 1, maxLength: 200 },
} as const;
export const ConversationSettings = {
  responsiveness: { minimum: 0, maximum: 1 },
  interruptionSensitivity: { minimum: 0, maximum: 1 },
  backchannelWords: { maxItems: 50, items: { minLength: 1, maxLength: 100 } },
  keywords: { maxItems: 200, items: { minLength: 1, maxLength: 100 } },
  pronunciations: { maxItems: 200, items: { text: { minLength: 1, maxLength: 100 }, say: { minLength: 1, maxLength: 200 } } },
  reminderSeconds: { minimum: 2, maximum: 120 },
  reminders: { minimum: 0, maximum: 10 },
  lineLostWords: { maxLength: 300 },
  model: { minLength: 1, maxLength: 200 },
  temperature: { minimum: 0, maximum: 2 },
  modelTimeoutMs: { minimum: 1000, maximum: 30000 },
  speechModel: { minLength: 1, maxLength: 200 },
  speechVoice: { minLength: 1, maxLength: 100 },
} as const;
export const CreateAccessTokenBody = { name: { minLength: 1, maxLength: 200 }, scopes: { minItems: 1, maxItems: 3 } } as const;
export const CreateAgentBody = {
  name: { minLength: 1, maxLength: 200 },
  voiceId: { minLength: 1, maxLength: 100 },
  description: { maxLength: 2000 },
  language: { maxLength: 35 },
  additionalLanguages: { maxItems: 20, items: { maxLength: 35 } },
  languages: { maxItems: 7 },
  toolIds: { maxItems: 20, items: { minLength: 1 } },
} as const;
export const CreateAlertRuleBody = {
  name: { minLength: 1, maxLength: 100 },
  value: { minimum: 0, maximum: 1000000000 },
  windowMinutes: { minimum: 5, maximum: 1440 },
  minimumCalls: { minimum: 1, maximum: 100000 },
  businessId: { minLength: 1, maxLength: 64 },
  campaignId: { minLength: 1, maxLength: 64 },
  agentId: { minLength: 1, maxLength: 64 },
  to: { minItems: 1, maxItems: 5, items: { to: { minLength: 1, maxLength: 2000 }, secret: { minLength: 16, maxLength: 200 } } },
  timezone: { minLength: 1, maxLength: 64 },
} as const;
export const CreateAppointmentBody = {
  businessId: { minLength: 1 },
  durationMinutes: { minimum: 5, maximum: 720 },
  service: { minLength: 1, maxLength: 200 },
  resource: { minLength: 1, maxLength: 80 },
  name: { minLength: 1, maxLength: 200 },
  phone: { minLength: 1, maxLength: 40 },
  notes: { maxLength: 500 },
} as const;
export const CreateBusinessBody = {
  name: { minLength: 1, maxLength: 200 },
  industry: { minLength: 1, maxLength: 200 },
  description: { maxLength: 4000 },
  timezone: { minLength: 1, maxLength: 100 },
  address: { maxLength: 500 },
  phone: { maxLength: 20 },
  email: { maxLength: 254 },
  hours: { maxItems: 70 },
  services: { maxItems: 200, items: { name: { minLength: 1, maxLength: 200 }, duration: { minimum: 0, maximum: 10080 }, price: { minimum: 0, maximum: 1000000000 } } },
  resources: { maxItems: 30, items: { name: { minLength: 1, maxLength: 80 }, aliases: { maxItems: 10, items: { minLength: 1, maxLength: 80 } }, hours: { maxItems: 70 } } },
  bufferMinutes: { minimum: 0, maximum: 240 },
  currency: { maxLength: 3 },
  faqs: { maxItems: 200, items: { question: { minLength: 1, maxLength: 1000 }, answer: { minLength: 1, maxLength: 4000 } } },
  policies: { maxItems: 100, items: { maxLength: 4000 } },
  systemPrompt: { maxLength: 20000 },
  greetingTemplate: { maxLength: 2000 },
  fallbackMessage: { maxLength: 2000 },
  transferNumber: { maxLength: 40 },
  destinations: { maxItems: 50, items: { name: { minLength: 1, maxLength: 80 }, description: { maxLength: 300 }, target: { minLength: 1, maxLength: 40 }, hours: { maxItems: 70 }, extensionDigits: { maxLength: 32 }, mode: { default: 'brief' }, after: { default: 'leave' }, ringSeconds: { minimum: 5, maximum: 120, default: 25 }, order: { minimum: 1, maximum: 100 } } },
  voiceSettings: { speed: { minimum: 0.5, maximum: 2 } },
  interruptionSensitivity: { minimum: 0, maximum: 1 },
  maxCallDurationMinutes: { minimum: 1, maximum: 1440 },
  silenceThresholdMs: { minimum: 100, maximum: 10000 },
  toolIds: { maxItems: 20, items: { minLength: 1 } },
  outputs: { maxItems: 30, items: { name: { maxLength: 64 }, description: { minLength: 1, maxLength: 500 } } },
  criteria: { maxItems: 30, items: { name: { maxLength: 64 }, question: { minLength: 1, maxLength: 500 } } },
  redaction: { kinds: { minItems: 1, maxItems: 20 } },
  appointmentTexts: { remindHoursBefore: { minimum: 1, maximum: 168 } },
  lookup: { url: { minLength: 1, maxLength: 2000 }, headers: { values: { maxLength: 4000 } }, timeoutMs: { minimum: 100, maximum: 1000 } },
  notify: { maxItems: 10, items: { filter: { default: 'all' }, to: { minLength: 1, maxLength: 2000 }, secret: { minLength: 16, maxLength: 200 }, detail: { default: 'full' }, when: { default: 'at_once' } } },
} as const;
export const CreateCampaignBody = {
  name: { minLength: 1, maxLength: 200 },
  description: { maxLength: 2000 },
  agentId: { minLength: 1 },
  businessId: { minLength: 1 },
  phoneNumberIds: { maxItems: 100, items: { minLength: 1 } },
  callingWindow: { timezone: { minLength: 1, maxLength: 100 }, days: { minItems: 1, maxItems: 7 } },
  maxConcurrentCalls: { minimum: 1, maximum: 1000 },
  maxAttempts: { minimum: 1, maximum: 10 },
  retryDelayMinutes: { minimum: 1, maximum: 10080 },
  greetingTemplate: { maxLength: 2000 },
  instructions: { maxLength: 10000 },
  voicemail: { message: { maxLength: 2000 } },
  destinations: { maxItems: 50, items: { name: { minLength: 1, maxLength: 80 }, description: { maxLength: 300 }, target: { minLength: 1, maxLength: 40 }, hours: { maxItems: 70 }, extensionDigits: { maxLength: 32 }, mode: { default: 'brief' }, after: { default: 'leave' }, ringSeconds: { minimum: 5, maximum: 120, default: 25 }, order: { minimum: 1, maximum: 100 } } },
  toolIds: { maxItems: 20, items: { minLength: 1 } },
  outputs: { maxItems: 30, items: { name: { maxLength: 64 }, description: { minLength: 1, maxLength: 500 } } },
  criteria: { maxItems: 30, items: { name: { maxLength: 64 }, question: { minLength: 1, maxLength: 500 } } },
  split: { maxItems: 10 },
  status: { default: 'DRAFT' },
} as const;
export const CreateCarrierBody = {
  key: { minLength: 1, maxLength: 300 },
  name: { minLength: 1, maxLength: 100 },
  keyId: { maxLength: 100 },
  monthlyCost: { minimum: 0, maximum: 10000 },
} as const;
export const CreatePortOrderBody = { accountHolder: { minLength: 1, maxLength: 200 } } as const;
export const CreatePriceBody = {
  engine: { minLength: 1, maxLength: 200 },
  model: { minLength: 1, maxLength: 200 },
  trunkId: { minLength: 1, maxLength: 200 },
  currency: { maxLength: 3 },
} as const;
export const CreateSipAccountBody = {
  username: { minLength: 2, maxLength: 32 },
  displayName: { minLength: 1, maxLength: 64 },
  password: { minLength: 12, maxLength: 64 },
  callsTo: { minLength: 1, maxLength: 64 },
} as const;
export const CreateTestSuiteBody = {
  name: { minLength: 1, maxLength: 200 },
  agentId: { minLength: 1, maxLength: 200 },
  businessId: { minLength: 1, maxLength: 200 },
  campaignId: { minLength: 1, maxLength: 200 },
  judge: { minLength: 1, maxLength: 200 },
} as const;
export const CreateToolBody = {
  name: { maxLength: 64 },
  description: { minLength: 1, maxLength: 1000 },
  url: { minLength: 1, maxLength: 2000 },
  headers: { values: { maxLength: 4000 } },
  timeoutMs: { minimum: 200, maximum: 120000 },
  sayWhile: { maxLength: 300 },
  assign: { values: { maxLength: 4000 } },
  when: { maxItems: 20, items: { minLength: 2, maxLength: 100 } },
  only: { maxItems: 100, items: { minLength: 1, maxLength: 200 } },
} as const;
export const CreateTrunkBody = {
  name: { minLength: 1, maxLength: 100 },
  host: { minLength: 1, maxLength: 253 },
  port: { minimum: 1, maximum: 65535 },
  username: { minLength: 1, maxLength: 128 },
  password: { minLength: 1, maxLength: 256 },
  inboundAllow: { maxItems: 64, items: { maxLength: 64 } },
  codecs: { minItems: 1 },
  maxConcurrentCalls: { minimum: 1, maximum: 100000 },
  callsPerSecond: { minimum: 1, maximum: 1000 },
  authUsername: { minLength: 1, maxLength: 128 },
  fromDomain: { minLength: 1, maxLength: 253 },
  outboundProxy: { minLength: 1, maxLength: 300 },
  country: { maxLength: 2, minLength: 1 },
  dialPrefix: { maxLength: 16, minLength: 1 },
  backupTrunkId: { maxLength: 64 },
  destinations: { countries: { maxItems: 300, items: { maxLength: 2 } }, prefixes: { allow: { maxItems: 1000 }, deny: { maxItems: 1000 } }, types: { maxItems: 13 } },
} as const;
export const CreateWebhookBody = { url: { minLength: 1, maxLength: 2048 }, events: { minItems: 1 } } as const;
export const CreateWidgetKeyBody = {
  campaignId: { minLength: 1 },
  name: { minLength: 1, maxLength: 100 },
  origins: { minItems: 1, maxItems: 20, items: { minLength: 1, maxLength: 300 } },
  allows: { minItems: 1 },
  callsPerDay: { minimum: 1, maximum: 100000 },
  minutesPerDay: { minimum: 1, maximum: 100000 },
  messagesPerDay: { minimum: 1, maximum: 100000 },
  callsAtOnce: { minimum: 1, maximum: 1000 },
  captchaUrl: { minLength: 1, maxLength: 2048 },
} as const;
export const DisableSecondFactorBody = {
  password: { minLength: 1, maxLength: 1024 },
  code: { minLength: 1, maxLength: 64 },
} as const;
export const EnableSecondFactorBody = { code: { minLength: 1, maxLength: 64 } } as const;
export const ExtractFromUrlBody = { url: { minLength: 1, maxLength: 2000 }, apply: { default: true } } as const;
export const FinishCalendarSignInBody = {
  state: { minLength: 1, maxLength: 200 },
  code: { minLength: 1, maxLength: 2000 },
} as const;
export const FinishProviderSignInBody = {
  answer: { minLength: 1, maxLength: 8192 },
  proof: { minLength: 1, maxLength: 1024 },
} as const;
export const ForgotPasswordBody = { email: { maxLength: 254 } } as const;
export const ImportTranscriptBody = {
  name: { minLength: 1, maxLength: 60 },
  checks: { maxItems: 50, items: { said: { minLength: 1, maxLength: 500, minItems: 1, maxItems: 20, items: { minLength: 1, maxLength: 500 } }, notSaid: { minLength: 1, maxLength: 500, minItems: 1, maxItems: 20, items: { minLength: 1, maxLength: 500 } }, tool: { name: { minLength: 1, maxLength: 200 } }, noTool: { minLength: 1, maxLength: 200 }, transferredTo: { minLength: 1, maxLength: 200 }, language: { maxLength: 35 }, gapAtMostMs: { minimum: 1, maximum: 60000 }, judge: { question: { minLength: 1, maxLength: 1000 } } } },
  language: { maxLength: 35 },
  context: { callerName: { minLength: 1, maxLength: 200 }, variables: { values: { maxLength: 4000 } }, booked: { maxItems: 100 } },
  callId: { minLength: 1, maxLength: 200 },
} as const;
export const ImportTrunkPricesBody = {
  trunkId: { minLength: 1, maxLength: 64 },
  currency: { maxLength: 3 },
  prices: { minItems: 1, maxItems: 20000 },
} as const;
export const InviteUserBody = ForgotPasswordBody;
export const KeepCallAsTestBody = {
  suiteId: { minLength: 1, maxLength: 200 },
  name: { minLength: 1, maxLength: 200 },
  checks: { maxItems: 50, items: { said: { minLength: 1, maxLength: 500, minItems: 1, maxItems: 20, items: { minLength: 1, maxLength: 500 } }, notSaid: { minLength: 1, maxLength: 500, minItems: 1, maxItems: 20, items: { minLength: 1, maxLength: 500 } }, tool: { name: { minLength: 1, maxLength: 200 } }, noTool: { minLength: 1, maxLength: 200 }, transferredTo: { minLength: 1, maxLength: 200 }, language: { maxLength: 35 }, gapAtMostMs: { minimum: 1, maximum: 60000 }, judge: { question: { minLength: 1, maxLength: 1000 } } } },
} as const;
export const LanguageSettings = {
  language: { maxLength: 35 },
  voiceId: { minLength: 1, maxLength: 100 },
  speechVoice: { minLength: 1, maxLength: 100 },
  digit: { maxLength: 1 },
  keywords: { maxItems: 200, items: { minLength: 1, maxLength: 100 } },
} as const;
export const LoginBody = { email: { maxLength: 254 }, password: { minLength: 1, maxLength: 1024 } } as const;
export const MakeCalendarFeedBody = { names: { default: true } } as const;
export const MakeCarrierTrunkBody = {
  countries: { minItems: 1, maxItems: 250, items: { maxLength: 2 } },
  inboundAllow: { maxItems: 64, items: { maxLength: 64 } },
} as const;
export const MarkCallProblemBody = { note: { maxLength: 1000 } } as const;
export const MovePortOrderBody = { reason: { minLength: 1, maxLength: 1000 } } as const;
export const PlaceCallBody = {
  campaignId: { minLength: 1 },
  fromPhoneNumberId: { minLength: 1 },
  variables: { names: { maxLength: 64 }, values: { maxLength: 1000 } },
  metadata: { names: { maxLength: 64 }, values: { maxLength: 1000 } },
} as const;
export const PlaceWebCallBody = {
  campaignId: { minLength: 1 },
  variables: { names: { maxLength: 64 }, values: { maxLength: 1000 } },
  metadata: { names: { maxLength: 64 }, values: { maxLength: 1000 } },
} as const;
export const PreviewCampaignBody = {
  variables: { names: { maxLength: 64 }, values: { maxLength: 1000 } },
  callerName: { maxLength: 200 },
  direction: { default: 'outbound' },
} as const;
export const PublishAgentBody = {
  canary: { share: { minimum: 1, maximum: 50, default: 10 }, calls: { minimum: 20, maximum: 1000, default: 100 } },
} as const;
export const PublishBusinessBody = PublishAgentBody;
export const ReadSiteBody = {
  url: { minLength: 1, maxLength: 2000 },
  timezone: { minLength: 1, maxLength: 100 },
} as const;
export const ReadWidgetMessagesBody = { visitor: { minLength: 1, maxLength: 100 }, after: { maxLength: 60 } } as const;
export const RefreshSessionBody = { refreshToken: { minLength: 1, maxLength: 512 } } as const;
export const RegisterBody = {
  email: { maxLength: 254 },
  password: { minLength: 12, maxLength: 128 },
  accountName: { minLength: 1, maxLength: 200 },
} as const;
export const ResendVerificationBody = ForgotPasswordBody;
export const ResetPasswordBody = {
  email: { maxLength: 254 },
  code: { minLength: 1, maxLength: 64 },
  newPassword: { minLength: 12, maxLength: 128 },
} as const;
export const RotateWidgetKeyBody = { keepHours: { minimum: 0, maximum: 168 } } as const;
export const SearchDocumentsBody = { question: { minLength: 1, maxLength: 1000 } } as const;
export const SetRemindersBody = { hoursBefore: { minimum: 2, maximum: 72 } } as const;
export const SplitPart = {
  version: { minimum: 1, maximum: 999999999 },
  share: { minimum: 1, maximum: 100 },
} as const;
export const StartRerunBody = {
  campaignId: { minLength: 1, maxLength: 200 },
  startDate: { minLength: 10, maxLength: 40 },
  endDate: { minLength: 10, maxLength: 40 },
  limit: { minimum: 1, maximum: 10000 },
} as const;
export const StartTestRunBody = {
  seed: { minimum: 0, maximum: 2147483647 },
  kinds: { minItems: 1, maxItems: 2 },
  caseIds: { minItems: 1, maxItems: 200, items: { minLength: 1, maxLength: 200 } },
} as const;
export const TakeOverCarrierNumberBody = { accountId: { maxLength: 64 } } as const;
export const TestAlertRuleBody = { index: { minimum: 0, maximum: 9 } } as const;
export const TestDefinition = {
  language: { maxLength: 35 },
  context: { callerName: { minLength: 1, maxLength: 200 }, variables: { values: { maxLength: 4000 } }, booked: { maxItems: 100 } },
  tools: { maxItems: 50, items: { name: { minLength: 1, maxLength: 200 }, error: { minLength: 1, maxLength: 1000 }, delayMs: { minimum: 0, maximum: 30000 } } },
  checks: { maxItems: 50, items: { said: { minLength: 1, maxLength: 500, minItems: 1, maxItems: 20, items: { minLength: 1, maxLength: 500 } }, notSaid: { minLength: 1, maxLength: 500, minItems: 1, maxItems: 20, items: { minLength: 1, maxLength: 500 } }, tool: { name: { minLength: 1, maxLength: 200 } }, noTool: { minLength: 1, maxLength: 200 }, transferredTo: { minLength: 1, maxLength: 200 }, language: { maxLength: 35 }, gapAtMostMs: { minimum: 1, maximum: 60000 }, judge: { question: { minLength: 1, maxLength: 1000 } } } },
  history: { maxItems: 200, items: { text: { minLength: 1, maxLength: 4000 } } },
  turns: { minItems: 1, maxItems: 50, items: { say: { minLength: 1, maxLength: 2000 }, checks: { maxItems: 50, items: { said: { minLength: 1, maxLength: 500, minItems: 1, maxItems: 20, items: { minLength: 1, maxLength: 500 } }, notSaid: { minLength: 1, maxLength: 500, minItems: 1, maxItems: 20, items: { minLength: 1, maxLength: 500 } }, tool: { name: { minLength: 1, maxLength: 200 } }, noTool: { minLength: 1, maxLength: 200 }, transferredTo: { minLength: 1, maxLength: 200 }, language: { maxLength: 35 }, gapAtMostMs: { minimum: 1, maximum: 60000 }, judge: { question: { minLength: 1, maxLength: 1000 } } } }, hint: { maxLength: 4000 } } },
  caller: { voice: { minLength: 1, maxLength: 200 }, language: { maxLength: 35 }, line: { noiseDb: { minimum: 0, maximum: 60 }, lossPercent: { minimum: 0, maximum: 50 } }, script: { maxItems: 100, items: { after: { minLength: 1, maxLength: 500 }, say: { minLength: 1, maxLength: 2000 }, heard: { maxLength: 4000 }, clip: { minimum: 0, maximum: 100 } } }, goal: { minLength: 1, maxLength: 1000 }, facts: { values: { maxLength: 4000 } } },
} as const;
export const TestModelSettingsBody = {
  engine: { minLength: 1, maxLength: 200 },
  baseUrl: { minLength: 1, maxLength: 500 },
  model: { minLength: 1, maxLength: 200 },
  apiKey: { minLength: 1, maxLength: 512 },
  voices: { minLength: 1, maxLength: 2000 },
  voice: { minLength: 1, maxLength: 200 },
  fallbackBaseUrl: { minLength: 1, maxLength: 500 },
  fallbackModel: { minLength: 1, maxLength: 200 },
  fallbackApiKey: { minLength: 1, maxLength: 512 },
  language: { maxLength: 35 },
  spokenBy: { minLength: 1, maxLength: 200 },
} as const;
export const TestNoticeBody = TestAlertRuleBody;
export const TestToolBody = { tool: { minLength: 1 }, variables: { values: { maxLength: 4000 } } } as const;
export const UpdateAccountBody = {
  name: { minLength: 1, maxLength: 200 },
  timezone: { minLength: 1, maxLength: 64 },
  defaultCampaignId: { maxLength: 100 },
  retentionDays: { minimum: 1, maximum: 3650 },
  setup: { skipped: { maxItems: 6 }, website: { maxLength: 2000 }, language: { maxLength: 20 }, country: { maxLength: 2 }, businessId: { maxLength: 100 }, agentId: { maxLength: 100 }, campaignId: { maxLength: 100 } },
} as const;
export const UpdateAgentBody = {
  name: { minLength: 1, maxLength: 200 },
  description: { maxLength: 2000 },
  voiceId: { minLength: 1, maxLength: 100 },
  language: { maxLength: 35 },
  additionalLanguages: { maxItems: 20, items: { maxLength: 35 } },
  languages: { maxItems: 7 },
  toolIds: { maxItems: 20, items: { minLength: 1 } },
} as const;
export const UpdateAlertRuleBody = CreateAlertRuleBody;
export const UpdateAnyAccountBody = {
  destinations: { countries: { maxItems: 300, items: { maxLength: 2 } }, prefixes: { allow: { maxItems: 1000 }, deny: { maxItems: 1000 } }, types: { maxItems: 13 } },
  spendLimits: { alarmMinutesPerHour: { minimum: 0, maximum: 10000000000 }, alarmMinutesPerDay: { minimum: 0, maximum: 10000000000 }, stopMinutesPerHour: { minimum: 0, maximum: 10000000000 }, stopMinutesPerDay: { minimum: 0, maximum: 10000000000 } },
} as const;
export const UpdateAppointmentBody = { resource: { minLength: 1, maxLength: 80 } } as const;
export const UpdateBusinessBody = CreateBusinessBody;
export const UpdateCalendarBody = {
  name: { minLength: 1, maxLength: 200 },
  resource: { minLength: 1, maxLength: 80 },
  username: { minLength: 1, maxLength: 200 },
  password: { minLength: 1, maxLength: 500 },
  signIn: { maxLength: 60 },
} as const;
export const UpdateCampaignBody = {
  name: { minLength: 1, maxLength: 200 },
  description: { maxLength: 2000 },
  agentId: { minLength: 1 },
  businessId: { minLength: 1 },
  phoneNumberIds: { maxItems: 100, items: { minLength: 1 } },
  callingWindow: { timezone: { minLength: 1, maxLength: 100 }, days: { minItems: 1, maxItems: 7 } },
  maxConcurrentCalls: { minimum: 1, maximum: 1000 },
  maxAttempts: { minimum: 1, maximum: 10 },
  retryDelayMinutes: { minimum: 1, maximum: 10080 },
  greetingTemplate: { maxLength: 2000 },
  instructions: { maxLength: 10000 },
  voicemail: { message: { maxLength: 2000 } },
  destinations: { maxItems: 50, items: { name: { minLength: 1, maxLength: 80 }, description: { maxLength: 300 }, target: { minLength: 1, maxLength: 40 }, hours: { maxItems: 70 }, extensionDigits: { maxLength: 32 }, mode: { default: 'brief' }, after: { default: 'leave' }, ringSeconds: { minimum: 5, maximum: 120, default: 25 }, order: { minimum: 1, maximum: 100 } } },
  toolIds: { maxItems: 20, items: { minLength: 1 } },
  outputs: { maxItems: 30, items: { name: { maxLength: 64 }, description: { minLength: 1, maxLength: 500 } } },
  criteria: { maxItems: 30, items: { name: { maxLength: 64 }, question: { minLength: 1, maxLength: 500 } } },
  split: { maxItems: 10 },
} as const;
export const UpdateCarrierBody = CreateCarrierBody;
export const UpdateInventoryBody = { monthlyCost: { minimum: 0, maximum: 10000 } } as const;
export const UpdateModelSettingsBody = {
  engine: { minLength: 1, maxLength: 200 },
  baseUrl: { minLength: 1, maxLength: 500 },
  model: { minLength: 1, maxLength: 200 },
  apiKey: { minLength: 1, maxLength: 512 },
  voices: { minLength: 1, maxLength: 2000 },
  voice: { minLength: 1, maxLength: 200 },
  fallbackBaseUrl: { minLength: 1, maxLength: 500 },
  fallbackModel: { minLength: 1, maxLength: 200 },
  fallbackApiKey: { minLength: 1, maxLength: 512 },
  revision: { minimum: 0 },
} as const;
export const UpdatePhoneNumberBody = {
  routes: { maxItems: 20, items: { forwardedFrom: { maxLength: 40 }, hours: { maxItems: 70 }, timezone: { maxLength: 60 }, campaignId: { maxLength: 200 }, target: { maxLength: 40 } } },
} as const;
export const UpdateSettingsBody = {
  destinations: { countries: { maxItems: 300, items: { maxLength: 2 } }, prefixes: { allow: { maxItems: 1000 }, deny: { maxItems: 1000 } }, types: { maxItems: 13 } },
  spendLimits: { alarmMinutesPerHour: { minimum: 0, maximum: 10000000000 }, alarmMinutesPerDay: { minimum: 0, maximum: 10000000000 }, stopMinutesPerHour: { minimum: 0, maximum: 10000000000 }, stopMinutesPerDay: { minimum: 0, maximum: 10000000000 } },
  callShare: { minimum: 1, maximum: 100 },
} as const;
export const UpdateSipAccountBody = CreateSipAccountBody;
export const UpdateTestCaseBody = AddTestCaseBody;
export const UpdateTestSuiteBody = CreateTestSuiteBody;
export const UpdateToolBody = {
  name: { maxLength: 64 },
  description: { minLength: 1, maxLength: 1000 },
  url: { minLength: 1, maxLength: 2000 },
  headers: { values: { maxLength: 4000 } },
  timeoutMs: { minimum: 200, maximum: 120000 },
  sayWhile: { maxLength: 300 },
  assign: { values: { maxLength: 4000 } },
  when: { maxItems: 20, items: { minLength: 2, maxLength: 100 } },
  only: { maxItems: 100, items: { minLength: 1, maxLength: 200 } },
  setHeaders: { values: { maxLength: 4000 } },
} as const;
export const UpdateTrunkBody = CreateTrunkBody;
export const UpdateWebhookBody = CreateWebhookBody;
export const UpdateWidgetKeyBody = {
  name: { minLength: 1, maxLength: 100 },
  origins: { minItems: 1, maxItems: 20, items: { minLength: 1, maxLength: 300 } },
  allows: { minItems: 1 },
  callsPerDay: { minimum: 1, maximum: 100000 },
  minutesPerDay: { minimum: 1, maximum: 100000 },
  messagesPerDay: { minimum: 1, maximum: 100000 },
  callsAtOnce: { minimum: 1, maximum: 1000 },
  captchaUrl: { minLength: 1, maxLength: 2048 },
} as const;
export const UploadDocumentBody = { name: { minLength: 1, maxLength: 200 } } as const;
export const VerifyEmailBody = { token: { minLength: 1, maxLength: 512 } } as const;
export const VerifySecondFactorBody = {
  pendingToken: { minLength: 1, maxLength: 512 },
  code: { minLength: 1, maxLength: 64 },
} as const;
export const WriteMessageBody = { text: { minLength: 1, maxLength: 670 } } as const;
export const WriteWidgetMessageBody = {
  text: { minLength: 1, maxLength: 670 },
  visitor: { minLength: 1, maxLength: 100 },
  captcha: { maxLength: 8192 },
} as const;
export const exportAllCosts = {
  businessId: { minLength: 1, maxLength: 64 },
  campaignId: { minLength: 1, maxLength: 64 },
  agentId: { minLength: 1, maxLength: 64 },
  accountId: { minLength: 1, maxLength: 64 },
  by: { default: 'day' },
} as const;
export const exportCalls = {
  outcome: { minLength: 1, maxLength: 200 },
  businessId: { minLength: 1, maxLength: 200 },
  campaignId: { minLength: 1, maxLength: 200 },
  agentId: { minLength: 1, maxLength: 200 },
  phoneNumberId: { minLength: 1, maxLength: 200 },
  startDate: { minLength: 10, maxLength: 40 },
  endDate: { minLength: 10, maxLength: 40 },
  minScore: { minimum: 0, maximum: 1 },
  maxScore: { minimum: 0, maximum: 1 },
  disposition: { minLength: 1, maxLength: 100 },
  forwardedFrom: { minLength: 1, maxLength: 64 },
  number: { minLength: 1, maxLength: 64 },
} as const;
export const exportCosts = {
  businessId: { minLength: 1, maxLength: 64 },
  campaignId: { minLength: 1, maxLength: 64 },
  agentId: { minLength: 1, maxLength: 64 },
  by: { default: 'day' },
} as const;
export const exportTrunkPrices = { trunkId: { minLength: 1, maxLength: 64 } } as const;
export const getAgentVersion = { against: { minimum: 1, maximum: 999999999 } } as const;
export const getAllCostSums = exportAllCosts;
export const getBusinessVersion = getAgentVersion;
export const getCostSums = exportCosts;
export const getFreeTimes = {
  from: { minLength: 10, maxLength: 40 },
  to: { minLength: 10, maxLength: 40 },
  service: { minLength: 1, maxLength: 200 },
  durationMinutes: { minimum: 5, maximum: 720 },
  resource: { minLength: 1, maxLength: 80 },
  besides: { minLength: 1 },
} as const;
export const getOverview = {
  days: { minimum: 1, maximum: 90, default: 7 },
  timezone: { minLength: 1, maxLength: 64 },
} as const;
export const getToolVersion = getAgentVersion;
export const importTrunkPrices = { trunkId: { minLength: 1, maxLength: 64 }, currency: { maxLength: 3 } } as const;
export const listAgentVersions = { campaignId: { minLength: 1 } } as const;
export const listAppointments = {
  businessId: { minLength: 1 },
  callId: { minLength: 1 },
  phone: { minLength: 1, maxLength: 40 },
  resource: { minLength: 1, maxLength: 80 },
  agentId: { minLength: 1 },
  from: { minLength: 10, maxLength: 40 },
  to: { minLength: 10, maxLength: 40 },
} as const;
export const listAuditLog = {
  actor: { minLength: 1, maxLength: 200 },
  action: { minLength: 1, maxLength: 200 },
  resource: { minLength: 1, maxLength: 200 },
  resourceId: { minLength: 1, maxLength: 200 },
  startDate: { minLength: 10, maxLength: 40 },
  endDate: { minLength: 10, maxLength: 40 },
} as const;
export const listBusinessVersions = listAgentVersions;
export const listCalls = exportCalls;
export const listCampaignCalls = exportCalls;
export const listCampaigns = { agentId: { minLength: 1 } } as const;
export const listConversations = { businessId: { minLength: 1 }, personNumber: { minLength: 1, maxLength: 40 } } as const;
export const listDoNotCall = { phoneNumber: { minLength: 1, maxLength: 40 } } as const;
export const listInstallationAuditLog = listAuditLog;
export const listPrices = exportTrunkPrices;
export const listToolVersions = listAgentVersions;
export const listWidgetKeys = listAgentVersions;
export const readCalendarFeed = { token: { maxLength: 100 }, resource: { minLength: 1, maxLength: 80 } } as const;
export const searchContacts = { search: { maxLength: 100, default: '' } } as const;
export const searchNumbers = {
  country: { maxLength: 2, default: 'US' },
  areaCode: { maxLength: 8 },
  capabilities: { maxLength: 100 },
} as const;
