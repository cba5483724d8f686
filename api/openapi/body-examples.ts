// One example body for each operation with a body; a test checks each against its schema.
const id = (prefix: string): string => `${prefix}_00000000000000000000sample`;

const email = 'kim@example.com';
const password = 'correct horse battery';
const code = '123456';
const variables = { firstName: 'Jamie', dueDate: 'May 3' };

const texts = {
  greetingTemplate: 'Hello {{firstName}}, this is {{agentName}} from {{businessName}}.',
  instructions: 'Remind the patient of the check-up that is due by {{dueDate}}, and offer to book it.',
};

export const BODY_EXAMPLES: Record<string, unknown> = {
  AcceptInviteBody: { token: 'of-the-mail', password },
  AddContactsBody: {
    contacts: [{ phoneNumber: '+12025550143', name: 'Jamie Rivera', variables, metadata: { crmId: '4711' } }],
  },
  AddDoNotCallBody: { phoneNumber: '+12025550143', reason: 'Asked by mail' },
  AddInventoryBody: { from: '+12025550100', to: '+12025550109', type: 'local', monthlyCost: 1.5 },
  CreateAccessTokenBody: { name: 'Nightly import' },
  CreateAgentBody: { name: 'Sam', voiceId: 'flite-slt', conversation: { keywords: ['Invisalign'] } },
  CreateBusinessBody: {
    name: 'Rivera Dental',
    industry: 'dentist',
    timezone: 'America/New_York',
    hours: [{ day: 'monday', open: '09:00', close: '17:00' }],
    services: [{ name: 'Check-up', duration: 30, price: 80 }],
    transferNumber: '+12025550101',
  },
  CreateCampaignBody: {
    name: 'Check-up reminders',
    agentId: id('agt'),
    businessId: id('biz'),
    phoneNumberIds: [id('pn')],
    ...texts,
    callingWindow: { days: ['monday', 'tuesday'], start: '10:00', end: '18:00' },
    voicemail: { action: 'leave_message', message: 'Your check-up is due by {{dueDate}}. Please call us back.' },
  },
  CreatePortOrderBody: { phoneNumber: '+12025550100', loaSignedAt: '2026-05-01', accountHolder: 'Rivera Dental LLC' },
  CreateSipAccountBody: { username: 'reception', displayName: 'Front desk', callsTo: 'demo' },
  CreateTrunkBody: {
    name: 'Example Telecom',
    host: 'sip.example.com',
    port: 5061,
    transport: 'tls',
    username: 'rivera',
    password: 'of the provider',
    register: true,
    srtp: true,
  },
  CreateWebhookBody: { url: 'https://example.com/hooks/voice', events: ['call.ended', 'appointment.scheduled'] },
  DisableSecondFactorBody: { password, code },
  EnableSecondFactorBody: { code },
  ExtractFromUrlBody: { url: 'https://rivera.example', apply: false },
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
  PlaceWebCallBody: { campaignId: id('cmp'), variables, metadata: { page: 'pricing' } },
  PreviewCampaignBody: { variables },
  PurchaseNumberBody: { phoneNumber: '+12025550100', campaignId: id('cmp') },
  RefreshSessionBody: { refreshToken: 'vcr_sample' },
  RegisterBody: { email, password, accountName: 'Rivera Dental LLC' },
  ResendVerificationBody: { email },
  ResetPasswordBody: { email, code, newPassword: password },
  TestWebhookBody: { event: 'call.ended' },
  UpdateAccountBody: { timezone: 'America/New_York', retentionDays: 90 },
  UpdateAgentBody: { voiceId: 'flite-slt' },
  UpdateAnyAccountBody: { plan: 'PRO', overageEnabled: true },
  UpdateAppointmentBody: { status: 'cancelled' },
  UpdateSettingsBody: { destinations: { countries: ['US', 'CA'], prefixes: { deny: ['+1900'] } } },
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
