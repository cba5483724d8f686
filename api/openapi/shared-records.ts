// The records that the examples of the document share. Their ids are not real.
import { DAY_MS } from '../../db/domain/hours/durations.ts';
import { NARROWBAND_CODECS } from '../../db/domain/trunk-defaults.ts';
import { sampleId as id, sampleCampaign, sampleData } from '../delivery/samples.ts';

export const AT = Date.UTC(2026, 4, 1, 9, 30);
export const createdAt = new Date(AT - DAY_MS).toISOString();

export const call = sampleData('call.ended', AT);
export const campaign = { ...sampleCampaign(AT), status: 'RUNNING', completedAt: null };
export const portOrder = sampleData('port-order.status_changed', AT);

export const user = {
  id: id('user'),
  email: 'kim@example.com',
  role: 'USER',
  access: 'admin',
  plan: 'PRO',
  accountId: id('acc'),
  emailVerified: true,
  twoFactorEnabled: false,
  hasPassword: true,
  createdAt,
};
export const tokens = { token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyIn0.c2FtcGxl', refreshToken: 'vcr_sample' };
export const personalToken = {
  id: id('pat'),
  name: 'Nightly import',
  role: 'USER',
  scopes: ['read', 'change'],
  lastUsedAt: null,
  expiresAt: null,
  createdAt,
};

export const carrier = {
  id: id('car'),
  kind: 'telnyx',
  name: 'Telnyx',
  keyId: null,
  keyEnd: 'x7Qe',
  offeredTo: 'admins',
  monthlyCost: null,
  trunkId: id('trk'),
  testedAt: createdAt,
  findings: [
    { subject: 'key', ok: true, text: 'The key is valid. The balance is 20.00 USD, with credit 20.00 USD.' },
    { subject: 'numbers', ok: true, text: 'Numbers can be listed.' },
    { subject: 'trunks', ok: true, text: 'SIP connections can be listed.' },
  ],
  createdAt,
};
export const noticeRule = {
  on: 'call_ended',
  filter: 'all',
  by: 'mail',
  to: 'owner@rivera.example',
  isSigned: false,
  detail: 'full',
  when: 'at_once',
  at: '18:00',
  quiet: { from: '21:00', to: '07:00' },
};

export const business = {
  id: id('biz'),
  name: 'Rivera Dental',
  industry: 'dentist',
  description: 'A family dentist in the centre of Springfield.',
  timezone: 'America/New_York',
  address: '12 Main Street, Springfield',
  phone: '+12025550100',
  email: 'hello@rivera.example',
  hours: [{ day: 'monday', open: '09:00', close: '17:00' }],
  services: [{ name: 'Check-up', duration: 30, price: 80 }],
  resources: [{ name: 'Anna', aliases: ['Mrs Berger'], hours: null }],
  bufferMinutes: 10,
  faqs: [{ question: 'Is there parking?', answer: 'Yes, behind the building.' }],
  policies: ['Cancel a day ahead.'],
  currency: 'USD',
  systemPrompt: null,
  greetingTemplate: 'Thank you for calling {{businessName}}, this is {{agentName}}. How can I help you?',
  fallbackMessage: null,
  dialogueFallback: null,
  transferNumber: '+12025550101',
  destinations: [
    {
      name: 'Billing',
      description: 'Invoices, refunds, payments',
      target: '+12025550102',
      hours: [{ day: 'monday', open: '09:00', close: '12:00' }],
      extensionDigits: null,
      mode: 'brief',
      accept: 'key',
      after: 'leave',
      ringSeconds: 25,
      order: 1,
    },
  ],
  voiceSettings: { speed: 1 },
  interruptionSensitivity: 0.5,
  maxCallDurationMinutes: 30,
  silenceThresholdMs: 600,
  endpointing: 'adaptive',
  businessContext: null,
  toolIds: [],
  outputs: [
    {
      name: 'isNewPatient',
      schema: { type: 'boolean' },
      description: 'Whether the caller was here for the first time',
    },
  ],
  criteria: [{ name: 'offered_appointment', question: 'Did the agent offer an appointment?' }],
  redaction: { kinds: ['card', 'iban'], transcript: true, webhooks: true, audio: false },
  appointmentTexts: { confirm: true, changes: true, remindHoursBefore: 24 },
  lookup: { url: 'https://crm.example/who-calls', timeoutMs: 800, headerNames: ['Authorization'] },
  notify: [noticeRule],
  createdAt,
  drafts: false,
  publishedVersion: 3,
  draftVersion: null,
  deletedAt: null,
};

export const modelSettings = {
  kind: 'llm',
  revision: 4,
  changedAt: createdAt,
  engine: 'openai',
  baseUrl: 'https://llm.example.com/v1',
  model: 'gpt-4.1-mini',
  apiKey: { end: 'x4Qf' },
  voices: null,
  voice: null,
  fallbackBaseUrl: null,
  fallbackModel: null,
  fallbackApiKey: null,
  fixed: [{ field: 'model', variable: 'OPENAI_MODEL' }],
  running: 'openai:gpt-4.1-mini',
  state: 'in-use',
  error: null,
};

export const conversation = { firstSpeaker: 'auto', keywords: ['Invisalign'], reminderSeconds: 10 };

export const dayFigures = {
  calls: 132,
  inbound: 92,
  outbound: 40,
  running: 2,
  completed: 109,
  failed: 14,
  voicemails: 7,
  answered: 116,
  answerRate: 0.8923,
  minutes: 201.4,
  responseGap: { calls: 104, p50Ms: 660, p95Ms: 980, p99Ms: 1_240 },
  lastHour: { turns: 96, failed: 3, unheard: 1, share: 0.0313 },
};

export const inventoryNumber = {
  phoneNumber: '+12025550100',
  country: 'US',
  areaCode: '202',
  type: 'local',
  capabilities: ['voice'],
  monthlyCost: 1.5,
  trunkId: id('trk'),
  status: 'free',
  accountId: null,
  reservedUntil: null,
  createdAt,
};

export const destinations = {
  countries: ['US', 'CA'],
  prefixes: { allow: [], deny: ['+1900', '+1976'] },
  types: [],
};

export const spendLimits = {
  alarmMinutesPerHour: 300,
  alarmMinutesPerDay: null,
  stopMinutesPerHour: null,
  stopMinutesPerDay: 2_000,
};

export const spend = {
  hour: { minutes: 12.5, alarm: 300, stop: null, resetsAt: '2026-05-04T10:00:00.000Z' },
  day: { minutes: 96, alarm: 1_250, stop: 2_000, resetsAt: '2026-05-05T00:00:00.000Z' },
};

export const trunk = {
  id: id('trk'),
  name: 'Example Telecom',
  host: 'sip.example.com',
  port: 5061,
  transport: 'tls',
  username: 'rivera',
  register: true,
  inboundAllow: ['192.0.2.0/24'],
  codecs: [...NARROWBAND_CODECS],
  maxConcurrentCalls: 30,
  callsPerSecond: 5,
  authUsername: null,
  fromDomain: null,
  outboundProxy: null,
  country: 'US',
  inboundFormat: 'auto',
  dialFormat: 'e164',
  dialPrefix: null,
  callerIdHeader: 'pai',
  srtp: true,
  optionsPing: true,
  acceptsRefer: true,
  backupTrunkId: null,
  destinations,
  registration: { state: 'registered', expiresAt: new Date(AT + 600_000).toISOString() },
  health: { state: 'up', checkedAt: new Date(AT).toISOString() },
  lastError: null,
  lastErrorAt: null,
  activeCalls: 2,
  createdAt,
  deletedAt: null,
};

export const sipAccount = {
  id: id('sip'),
  accountId: id('acc'),
  username: 'reception',
  displayName: 'Front desk',
  callsTo: id('cmp'),
  enabled: true,
  registration: {
    contact: 'sip:reception@192.168.1.20:5060',
    transport: 'udp',
    address: '198.51.100.7',
    port: 49_152,
    userAgent: 'baresip v1.0.0',
    since: new Date(AT - 3_600_000).toISOString(),
    expiresAt: new Date(AT + 600_000).toISOString(),
  },
  createdAt,
  deletedAt: null,
};
