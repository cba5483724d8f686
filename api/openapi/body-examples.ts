// One request body for each operation that takes one; a test checks each against its schema.
import { sampleId as id } from '../delivery/samples.ts';
import { tool } from './knowing-examples.ts';
import { business, campaign, trunk } from './shared-records.ts';
import { TEST_BODIES } from './test-examples.ts';
import { WIDGET_BODIES } from './widget-examples.ts';

/** Some fields of a record, as one who creates it sends them. */
const fieldsOf = <T extends object, K extends keyof T>(record: T, ...names: K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<T, K>;

const email = 'kim@example.com';
const password = 'correct horse battery';
const code = '123456';
const variables = { firstName: 'Jamie', dueDate: 'May 3' };

const texts = fieldsOf(campaign, 'greetingTemplate', 'instructions');

export const BODY_EXAMPLES: Record<string, unknown> = {
  AcceptInviteBody: { token: 'of-the-mail', password },
  AddContactsBody: {
    contacts: [{ phoneNumber: '+12025550143', name: 'Jamie Rivera', variables, metadata: { crmId: '4711' } }],
  },
  CreateAlertRuleBody: {
    ...{ name: 'Failed calls', metric: 'failed_share', comparison: 'above', value: 0.2, windowMinutes: 60 },
    ...{ minimumCalls: 10, to: [{ by: 'mail', to: 'owner@rivera.example' }], quiet: { from: '21:00', to: '07:00' } },
  },
  UpdateAlertRuleBody: { value: 0.3 },
  TestAlertRuleBody: { index: 0 },
  AddDoNotCallBody: { phoneNumber: '+12025550143', reason: 'Asked by mail' },
  PublishAgentBody: { canary: { share: 10, calls: 100 } },
  PublishBusinessBody: { canary: { share: 10, calls: 100 } },
  StartRerunBody: { campaignId: id('cmp'), startDate: '2026-04-01', limit: 500, webhooks: true },
  ...TEST_BODIES,
  AddInventoryBody: { from: '+12025550100', to: '+12025550109', type: 'local', monthlyCost: 1.5 },
  BeginConversationBody: { campaignId: id('cmp'), to: '+14155550123' },
  UpdateConversationBody: { answeredBy: 'person' },
  WriteMessageBody: { text: 'This is Ana from the front desk. Come at ten.' },
  ...WIDGET_BODIES,
  CreateAccessTokenBody: { name: 'Nightly import', scopes: ['read', 'change'] },
  CreateAgentBody: { name: 'Sam', voiceId: 'flite-slt', conversation: { keywords: ['Invisalign'] } },
  CreateBusinessBody: fieldsOf(
    business,
    'name',
    'industry',
    'timezone',
    'hours',
    'services',
    'transferNumber',
    'destinations',
  ),
  CreateCampaignBody: {
    ...fieldsOf(campaign, 'name', 'agentId', 'businessId', 'phoneNumberIds'),
    ...texts,
    callingWindow: { days: ['monday', 'tuesday'], start: '10:00', end: '18:00' },
    voicemail: { action: 'leave_message', message: 'Your check-up is due by {{dueDate}}. Please call us back.' },
  },
  CreatePortOrderBody: { phoneNumber: '+12025550100', loaSignedAt: '2026-05-01', accountHolder: 'Rivera Dental LLC' },
  CreateSipAccountBody: { username: 'reception', displayName: 'Front desk', callsTo: 'demo' },
  AddDocumentBody: {
    name: 'Warranty terms',
    kind: 'markdown',
    text: '# Warranty\n\n## Batteries\n\nThe battery has a warranty of one year.',
  },
  SearchDocumentsBody: { question: 'How long is the warranty of the battery?' },
  CreateToolBody: {
    ...fieldsOf(tool, 'name', 'description', 'url', 'method', 'parameters', 'sayWhile', 'assign', 'when'),
    headers: { Authorization: 'Bearer of-your-shop' },
  },
  UpdateToolBody: { timeoutMs: 3_000, mode: 'background' },
  TestToolBody: { arguments: { number: '4711' }, variables: {} },
  CreatePriceBody: { kind: 'stt', engine: 'deepgram', model: 'nova-*', perMinute: '0.0043', currency: 'USD' },
  ImportTrunkPricesBody: {
    ...{ trunkId: id('trk'), direction: 'outbound', currency: 'USD' },
    prices: [{ prefix: '+49', perMinute: '0.012', increment: '60/60' }],
  },
  CreateCarrierBody: { kind: 'telnyx', key: 'KEY0123456789ABCDEF_of-the-portal', name: 'Telnyx' },
  TakeOverCarrierNumberBody: { phoneNumber: '+12025550100' },
  MakeCarrierTrunkBody: { secure: false, countries: ['US', 'CA'] },
  UpdateCarrierBody: { offeredTo: 'accounts', monthlyCost: 2 },
  CreateTrunkBody: {
    ...fieldsOf(trunk, 'name', 'host', 'port', 'transport', 'username'),
    password: 'of the provider',
    ...fieldsOf(trunk, 'register', 'srtp'),
  },
  ConnectCalendarBody: {
    kind: 'caldav',
    url: 'https://cloud.example.com/remote.php/dav/',
    username: 'anna',
    password: 'app-password-of-hers',
    calendar: 'Personal',
    resource: 'Anna',
  },
  UpdateCalendarBody: { names: false },
  SetRemindersBody: { campaignId: id('cmp'), dayBeforeAt: '17:00' },
  BeginCalendarSignInBody: { kind: 'microsoft' },
  FinishCalendarSignInBody: { state: `${id('csi')}.c2FtcGxl`, code: '4/0AX4XfWh' },
  MakeCalendarFeedBody: { names: false },
  CreateWebhookBody: { url: 'https://example.com/hooks/voice', events: ['call.ended', 'appointment.scheduled'] },
  ChangePasswordBody: { currentPassword: password, newPassword: 'another long password' },
  DisableSecondFactorBody: { password, code },
  EnableSecondFactorBody: { code },
  ReadSiteBody: { url: 'rivera.example', timezone: 'America/New_York' },
  ExtractFromUrlBody: { url: 'https://rivera.example', apply: false },
  FinishProviderSignInBody: { answer: 'code=of-the-provider&state=of-the-address', proof: 'of-the-beginning' },
  ForgotPasswordBody: { email },
  GenerateFaqsBody: { apply: true },
  GenerateServicesBody: { apply: true },
  InviteUserBody: { email },
  LoginBody: { email, password },
  MovePortOrderBody: { status: 'FOC_SCHEDULED', focDate: '2026-05-12' },
  PlaceCallBody: {
    campaignId: id('cmp'),
    toNumber: '+12025550143',
    fromPhoneNumberId: id('pn'),
    variables,
    metadata: { crmId: '4711' },
  },
  MarkCallProblemBody: { kind: 'misheard', note: 'She said a perm.' },
  ControlCallBody: { kind: 'say', text: 'Please hold the line, a colleague is coming.', when: 'pause' },
  PlaceWebCallBody: { campaignId: id('cmp'), variables, metadata: { page: 'pricing' } },
  PreviewCampaignBody: { variables },
  PurchaseNumberBody: { phoneNumber: '+12025550100', campaignId: id('cmp') },
  RefreshSessionBody: { refreshToken: 'vcr_sample' },
  RegisterBody: { email, password, accountName: 'Rivera Dental LLC' },
  ResendVerificationBody: { email },
  ResetPasswordBody: { email, code, newPassword: password },
  TestNoticeBody: { index: 0 },
  TestWebhookBody: { event: 'call.ended' },
  UpdateAccountBody: { timezone: 'America/New_York', retentionDays: 90 },
  UpdateAgentBody: { voiceId: 'flite-slt' },
  UpdateAnyAccountBody: { plan: 'PRO', overageEnabled: true },
  CreateAppointmentBody: {
    ...{ businessId: id('biz'), service: 'Check-up', startsAt: '2026-12-01T14:00:00.000Z' },
    ...{ name: 'Ada Rivera', phone: '+12025550143', tellPerson: true },
  },
  UpdateAppointmentBody: { status: 'cancelled' },
  UpdateModelSettingsBody: { engine: 'openai', baseUrl: 'http://127.0.0.1:8000/v1', model: 'qwen3', revision: 3 },
  TestModelSettingsBody: { engine: 'openai', baseUrl: 'http://127.0.0.1:8000/v1', model: 'qwen3' },
  UpdateSettingsBody: {
    destinations: { countries: ['US', 'CA'], prefixes: { deny: ['+1900'] } },
    spendLimits: { alarmMinutesPerHour: 300, stopMinutesPerDay: 2_000 },
  },
  UpdateSipAccountBody: { callsTo: id('cmp'), enabled: true },
  UpdateBusinessBody: { phone: '+12025550100' },
  UpdateCampaignBody: texts,
  UpdateInventoryBody: { trunkId: id('trk'), monthlyCost: 2 },
  UpdatePhoneNumberBody: { campaignId: id('cmp') },
  UpdateTrunkBody: { maxConcurrentCalls: 60 },
  UpdateWebhookBody: { isActive: true },
  VerifyEmailBody: { token: 'of-the-mail' },
  VerifySecondFactorBody: { pendingToken: 'of-the-login', code },
};
