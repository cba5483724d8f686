// Each endpoint's response, typed by method and path, from the schemas of the routes. A test that reads an unknown
// field of a response does not compile.

import type { Static, TSchema } from 'typebox';
import type { OverviewRecord } from '../../../api/account/overview.ts';
import type { Account } from '../../../api/account/schema.ts';
import type { AgentRecord } from '../../../api/agents/schema.ts';
import type { AppointmentRecord } from '../../../api/appointments/schema.ts';
import type {
  Message,
  NewPersonalToken,
  PersonalToken,
  RecoveryCodes,
  RegisterResult,
  SecondFactorSetup,
  Session,
  TokenPair,
  User,
} from '../../../api/auth/schema.ts';
import type { BillingAccount, Charge, SetupPage } from '../../../api/billing/schema.ts';
import type { AuditRecord, BusinessRecord, Faq, Service } from '../../../api/businesses/schema.ts';
import type { CallEventRecord } from '../../../api/calls/events.ts';
import type { CallRecord, TranscriptRecord, WebCallRecord } from '../../../api/calls/schema.ts';
import type {
  CampaignDetails,
  CampaignPreview,
  CampaignRecord,
  StartedCampaign,
  StatsRecord,
} from '../../../api/campaigns/schema.ts';
import type { AddedContacts, ContactRecord } from '../../../api/contacts/schema.ts';
import type { DoNotCallRecord } from '../../../api/do-not-call/routes.ts';
import type { Pagination } from '../../../api/envelope-schema.ts';
import type { ErrorCode } from '../../../api/error-codes.ts';
import type { FieldError } from '../../../api/errors.ts';
import type { AddedNumbers, InventoryNumber } from '../../../api/inventory/schema.ts';
import type { ModelRecord } from '../../../api/models/routes.ts';
import type { NumberOffer, PhoneNumber, ReleasedNumber } from '../../../api/phone-numbers/schema.ts';
import type { AdminPortOrder, PortOrder } from '../../../api/port-in/schema.ts';
import type { RefusedCall } from '../../../api/refused-calls/routes.ts';
import type { Settings } from '../../../api/settings/routes.ts';
import type { NewSipAccount, SipAccount } from '../../../api/sip-accounts/schema.ts';
import type { Status } from '../../../api/status/routes.ts';
import type { Trunk } from '../../../api/trunks/schema.ts';
import type { VoiceRecord } from '../../../api/voices/routes.ts';
import type { DeliveryRecord, WebhookRecord } from '../../../api/webhooks/schema.ts';

/** The data of a paged list. */
interface Page<T> {
  page: T[];
}
type PageOf<T extends TSchema> = Page<Static<T>>;

interface Endpoints {
  'POST /auth/register': Static<typeof RegisterResult>;
  'POST /auth/accept-invite': Static<typeof RegisterResult>;
  'POST /auth/verify-email': Static<typeof Message>;
  'POST /auth/resend-verification': Static<typeof Message>;
  'POST /auth/forgot-password': Static<typeof Message>;
  'POST /auth/reset-password': Static<typeof Message>;
  'POST /auth/logout': Static<typeof Message>;
  /** If the user has a second factor: `requires2FA` and `pendingToken` instead of the session. */
  'POST /auth/login': Session & { requires2FA?: true; pendingToken: string };
  'POST /auth/verify-2fa': Session;
  'POST /auth/refresh': TokenPair;
  'POST /auth/2fa/setup': Static<typeof SecondFactorSetup>;
  'POST /auth/2fa/enable': Static<typeof RecoveryCodes>;
  'POST /auth/2fa/disable': Static<typeof Message>;
  'GET /auth/me': User;
  'GET /auth/tokens': PageOf<typeof PersonalToken>;
  'POST /auth/tokens': Static<typeof NewPersonalToken>;
  'DELETE /auth/tokens/:id': PersonalToken;

  'GET /agents': PageOf<typeof AgentRecord>;
  'POST /agents': AgentRecord;
  '* /agents/:id': AgentRecord;
  'GET /voices': Static<typeof VoiceRecord>[];

  'GET /businesses': PageOf<typeof BusinessRecord>;
  'POST /businesses': BusinessRecord;
  '* /businesses/:id': BusinessRecord;
  'POST /businesses/:id/restore': BusinessRecord;
  'GET /businesses/:id/audit-log': PageOf<typeof AuditRecord>;
  'POST /businesses/:id/generate-services': { services: Service[]; business: BusinessRecord };
  'POST /businesses/:id/generate-faqs': { faqs: Faq[]; business: BusinessRecord };
  'POST /businesses/:id/extract-from-url': { extracted: Partial<BusinessRecord>; business: BusinessRecord };

  'GET /campaigns': PageOf<typeof CampaignRecord>;
  'POST /campaigns': Static<typeof CampaignRecord>;
  'GET /campaigns/:id': Static<typeof CampaignDetails>;
  '* /campaigns/:id': Static<typeof CampaignRecord>;
  'POST /campaigns/:id/start': Static<typeof StartedCampaign>;
  'POST /campaigns/:id/resume': Static<typeof StartedCampaign>;
  'POST /campaigns/:id/pause': Static<typeof CampaignRecord>;
  'POST /campaigns/:id/preview': CampaignPreview;
  'GET /campaigns/:id/stats': Static<typeof StatsRecord>;
  'GET /campaigns/:id/calls': PageOf<typeof CallRecord>;
  'GET /campaigns/:id/contacts': PageOf<typeof ContactRecord>;
  'POST /campaigns/:id/contacts': AddedContacts;
  'DELETE /campaigns/:id/contacts/:contactId': Static<typeof ContactRecord>;

  'GET /calls': PageOf<typeof CallRecord>;
  'POST /calls': Static<typeof CallRecord>;
  '* /calls/:id': Static<typeof CallRecord>;
  'GET /calls/:id/transcript': Static<typeof TranscriptRecord>[];
  'GET /calls/:id/events': PageOf<typeof CallEventRecord>;
  'POST /calls/web': Static<typeof WebCallRecord>;
  'POST /calls/:id/end': Static<typeof CallRecord>;
  'GET /live': PageOf<typeof CallRecord>;
  'GET /appointments': PageOf<typeof AppointmentRecord>;
  'PATCH /appointments/:id': Static<typeof AppointmentRecord>;
  'GET /do-not-call': PageOf<typeof DoNotCallRecord>;
  'POST /do-not-call': Static<typeof DoNotCallRecord>;
  'DELETE /do-not-call/:phoneNumber': Static<typeof DoNotCallRecord>;

  'GET /phone-numbers/search': Static<typeof NumberOffer>[];
  'POST /phone-numbers/purchase': PhoneNumber;
  'GET /phone-numbers': PageOf<typeof PhoneNumber>;
  'GET /phone-numbers/:id': PhoneNumber;
  'PATCH /phone-numbers/:id': PhoneNumber;
  'DELETE /phone-numbers/:id': Static<typeof ReleasedNumber>;
  'GET /phone-numbers/port-in': PageOf<typeof PortOrder>;
  'POST /phone-numbers/port-in': PortOrder;
  'GET /phone-numbers/port-in/:id': PortOrder;
  'POST /phone-numbers/port-in/:id/cancel': PortOrder;
  'POST /phone-numbers/port-in/:id/documents': PortOrder;

  'GET /webhooks': PageOf<typeof WebhookRecord>;
  'POST /webhooks': WebhookRecord;
  'GET /webhooks/:id': WebhookRecord;
  'PATCH /webhooks/:id': WebhookRecord;
  'DELETE /webhooks/:id': { id: string };
  'POST /webhooks/:id/rotate-secret': WebhookRecord;
  'POST /webhooks/:id/test': DeliveryRecord;
  'GET /webhooks/:id/deliveries': PageOf<typeof DeliveryRecord>;
  'POST /webhooks/:id/deliveries/:deliveryId/replay': DeliveryRecord;

  '* /account': Account;
  'GET /account/overview': OverviewRecord;
  'GET /account/users': PageOf<typeof User>;
  'POST /account/users': User;
  'DELETE /account/users/:id': User;
  'GET /account/billing': Static<typeof BillingAccount>;
  'POST /account/billing/setup': Static<typeof SetupPage>;
  'GET /account/charges': PageOf<typeof Charge>;

  'GET /admin/accounts': PageOf<typeof Account>;
  'PATCH /admin/accounts/:id': Account;
  'GET /admin/trunks': PageOf<typeof Trunk>;
  'POST /admin/trunks': Trunk;
  '* /admin/trunks/:id': Trunk;
  'GET /admin/sip-accounts': PageOf<typeof SipAccount>;
  'POST /admin/sip-accounts': NewSipAccount;
  '* /admin/sip-accounts/:id': SipAccount;
  '* /admin/settings': Static<typeof Settings>;
  'GET /admin/status': Static<typeof Status>;
  'GET /admin/refused-calls': PageOf<typeof RefusedCall>;
  'GET /admin/inventory': PageOf<typeof InventoryNumber>;
  'POST /admin/inventory': Static<typeof AddedNumbers>;
  'PATCH /admin/inventory/:phoneNumber': InventoryNumber;
  'DELETE /admin/inventory/:phoneNumber': InventoryNumber;
  'GET /admin/models': PageOf<typeof ModelRecord>;
  'GET /admin/models/:name': Static<typeof ModelRecord>;
  'POST /admin/models/:name/download': Static<typeof ModelRecord>;
  'GET /admin/port-orders': PageOf<typeof AdminPortOrder>;
  'PATCH /admin/port-orders/:id': Static<typeof AdminPortOrder>;
}

type WithoutQuery<Path extends string> = Path extends `${infer Before}?${string}` ? Before : Path;

/** Whether a path's segments match an endpoint's; `agents${string}` is `agents` with a query string. */
type Fits<Path extends string, Pattern extends string> = Pattern extends `${infer First}/${infer Rest}`
  ? Path extends `${infer Head}/${infer Tail}`
    ? SegmentFits<Head, First> extends true
      ? Fits<Tail, Rest>
      : false
    : false
  : Path extends `${string}/${string}`
    ? false
    : SegmentFits<Path, Pattern>;

type SegmentFits<Segment extends string, Pattern extends string> = Pattern extends `:${string}`
  ? true
  : Segment extends Pattern | `${Pattern}${string}`
    ? true
    : false;

type EndpointOf<Method extends string, Path extends string> = {
  [Name in keyof Endpoints]: Name extends `${infer Verb} ${infer Pattern}`
    ? Verb extends Method | '*'
      ? Fits<WithoutQuery<Path>, Pattern> extends true
        ? Name
        : never
      : never
    : never;
}[keyof Endpoints];

/** Of two matching endpoints, such as `/calls/web` and `/calls/:id`, the one without parameters. */
type Exact<Name extends string> =
  Exclude<Name, `${string}:${string}`> extends never ? Name : Exclude<Name, `${string}:${string}`>;

/** Distributes over a union of paths. */
type Answered<Method extends string, Path extends string> = Path extends string
  ? string extends Path
    ? unknown
    : [EndpointOf<Method, Path>] extends [never]
      ? unknown
      : Endpoints[Exact<EndpointOf<Method, Path>> & keyof Endpoints]
  : never;

export interface Envelope<Data> {
  success: boolean;
  data: Data;
  warnings?: string[];
  error?: string;
  code?: ErrorCode;
  errors?: FieldError[];
}

/** The JSON of a response. Success fields exist on a 2xx only: tests check the status first. */
export type AnswerJson<Method extends string, Path extends string> =
  Answered<Method, Path> extends Page<infer Item>
    ? Envelope<Item[]> & { pagination: Pagination }
    : Envelope<Answered<Method, Path>>;
