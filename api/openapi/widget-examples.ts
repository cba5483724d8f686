// Examples of widgets of web sites.
import { sampleId as id } from '../delivery/samples.ts';
import { createdAt } from './shared-records.ts';

const origin = 'https://www.rivera.example';
const visitor = 'c2FtcGxlLXRva2VuLW9mLWEtdmlzaXRvcg';
const message = { id: id('msg'), from: 'visitor', text: 'Are you open on Saturday?', createdAt };
const refused = { reason: 'origin', requests: 3, origin: 'https://copy.example', lastAt: createdAt };
const caps = { callsPerDay: 100, minutesPerDay: 300, messagesPerDay: 1_000, callsAtOnce: 5 };

export const WIDGET_EXAMPLES: Record<string, unknown> = {
  WidgetKey: {
    ...{ id: id('wid'), campaignId: id('cmp'), key: 'pk_c2FtcGxlLWtleS1vZi1hLXdpZGdl', previousKeyUntil: null },
    ...{ name: 'Web site', origins: [origin], allows: ['call', 'text'], ...caps, captchaUrl: null, expiresAt: null },
    ...{ isActive: true, createdAt },
    today: { calls: 12, callsNow: 1, minutes: 31.5, messages: 40, refused: [refused] },
  },
  WidgetUses: { calls: 12, callsNow: 1, minutes: 31.5, messages: 40, refused: [refused] },
  WidgetRefused: refused,
  WidgetFacts: {
    ...{ isOpen: true, allows: ['call', 'text'], needsCaptcha: false },
    ...{ agentName: 'Sam', businessName: 'Rivera Dental', language: 'en-US' },
  },
  WidgetCall: {
    callId: id('call'),
    socketUrl: `wss://voice.example.com/calls/${id('call')}?token=c2FtcGxl`,
    iceServers: [],
  },
  WidgetMessage: message,
  WidgetWritten: { visitor, message },
  WidgetThread: { messages: [message], isAnswering: true },
};

export const WIDGET_BODIES: Record<string, unknown> = {
  CreateWidgetKeyBody: {
    campaignId: id('cmp'),
    name: 'Web site',
    origins: [origin],
    allows: ['call'],
    callsPerDay: 50,
  },
  UpdateWidgetKeyBody: { callsAtOnce: 2, captchaUrl: 'https://www.rivera.example/check-captcha' },
  RotateWidgetKeyBody: { keepHours: 48 },
  OpenWidgetBody: {},
  BeginWidgetCallBody: { captcha: 'of-the-captcha' },
  WriteWidgetMessageBody: { text: 'Are you open on Saturday?' },
  ReadWidgetMessagesBody: { visitor, after: id('msg'), wait: true },
};
