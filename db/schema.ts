// The types of the database: every table by its name. Times are integers (ms since the epoch), booleans 0 or 1, JSON is
// text; every row of a tenant has an `accountId`. Columns are snake_case in SQL (CamelCasePlugin).

import type { Kysely } from 'kysely';
import type { AccountHourTable, AccountTable, AccountUsageTable, TransferLegTable } from './schema/accounts.ts';
import type { AgentTable } from './schema/agents.ts';
import type { AlertFiringTable, AlertRuleTable } from './schema/alerts.ts';
import type { AuditLogTable } from './schema/audit.ts';
import type {
  AppointmentTable,
  BookingTryTable,
  BusinessAuditTable,
  BusinessTable,
  HoldMusicTable,
} from './schema/businesses.ts';
import type {
  AppointmentReminderTable,
  CalendarEntryTable,
  CalendarFeedTable,
  CalendarSignInTable,
  CalendarSpanTable,
  CalendarTable,
} from './schema/calendars.ts';
import type { CallTable } from './schema/call-columns.ts';
import type {
  CallContinuationTable,
  CallCountTable,
  CallDayTable,
  CallDialogTable,
  CallFeedTable,
  CallGapTable,
  CallOutputTable,
  CallProblemTable,
  CallSweepTable,
  CallTimelineTable,
  LiveViewTable,
  RefusedCallTable,
  ScheduledCallTable,
  TurnMinuteTable,
} from './schema/calls.ts';
import type {
  CampaignTable,
  CampaignTotalTable,
  ContactCountTable,
  ContactSecondTable,
  ContactTable,
  DialAttemptTable,
  DoNotCallTable,
} from './schema/campaigns.ts';
import type { AppointmentTextTable, ConversationTable, MessageTable, TextOptOutTable } from './schema/conversations.ts';
import type { CallUseTable, CostDayTable, CostTable, PriceTable } from './schema/costs.ts';
import type { FileDeletionTable } from './schema/files.ts';
import type {
  DocumentNameTable,
  DocumentTable,
  DocumentVectorTable,
  KnowledgeNameTable,
  PassageTable,
} from './schema/knowledge.ts';
import type { CarrierOrderTable, CarrierTable } from './schema/lines/carriers.ts';
import type {
  ChargeTable,
  InventoryTable,
  PhoneNumberTable,
  PortDocumentTable,
  PortOrderTable,
} from './schema/lines/phone-numbers.ts';
import type { SipAccountTable, SipBindingTable } from './schema/lines/sip-accounts.ts';
import type { ReadInviteTable, TrunkStateTable, TrunkTable } from './schema/lines/trunks.ts';
import type { MailTable } from './schema/mails.ts';
import type { ModelSettingsTable } from './schema/model-settings.ts';
import type { NoticeMessageTable, NoticeTable } from './schema/notices.ts';
import type {
  AppliedOperationTable,
  EngineRequestTable,
  EngineTable,
  EngineVoicesTable,
  IdempotencyKeyTable,
  JobTable,
  LeaseTable,
  ProcessTable,
} from './schema/processes.ts';
import type { RerunCallTable, RerunTable } from './schema/reruns.ts';
import type { SettingTable } from './schema/settings.ts';
import type {
  TestCaseTable,
  TestClipTable,
  TestRecordingTable,
  TestResultTable,
  TestRunTable,
  TestSuiteTable,
} from './schema/test-suites.ts';
import type { ToolTable } from './schema/tools.ts';
import type {
  AccessTokenTable,
  LoginFailureTable,
  OneTimeTokenTable,
  RecoveryCodeTable,
  RefreshTokenTable,
  RevokedTokenTable,
  UserIdentityTable,
  UserTable,
} from './schema/users.ts';
import type { CanaryTable, DraftTable, VersionTable } from './schema/versions.ts';
import type {
  CursorTable,
  EventTable,
  WebhookDeliveryTable,
  WebhookQueueTable,
  WebhookTable,
} from './schema/webhooks.ts';
import type {
  WidgetCallTable,
  WidgetDayTable,
  WidgetKeyTable,
  WidgetRefusalTable,
  WidgetVisitorTable,
} from './schema/widget.ts';

export interface Schema {
  settings: SettingTable;
  auditLog: AuditLogTable;
  modelSettings: ModelSettingsTable;
  accounts: AccountTable;
  accountUsage: AccountUsageTable;
  accountHours: AccountHourTable;
  transferLegs: TransferLegTable;
  users: UserTable;
  userIdentities: UserIdentityTable;
  recoveryCodes: RecoveryCodeTable;
  loginFailures: LoginFailureTable;
  refreshTokens: RefreshTokenTable;
  revokedTokens: RevokedTokenTable;
  oneTimeTokens: OneTimeTokenTable;
  accessTokens: AccessTokenTable;
  agents: AgentTable;
  tools: ToolTable;
  documents: DocumentTable;
  passages: PassageTable;
  knowledgeNames: KnowledgeNameTable;
  documentNames: DocumentNameTable;
  documentVectors: DocumentVectorTable;
  businesses: BusinessTable;
  businessAudit: BusinessAuditTable;
  versions: VersionTable;
  drafts: DraftTable;
  canaries: CanaryTable;
  holdMusic: HoldMusicTable;
  calendarFeeds: CalendarFeedTable;
  calendars: CalendarTable;
  appointmentReminders: AppointmentReminderTable;
  calendarSignIns: CalendarSignInTable;
  calendarSpans: CalendarSpanTable;
  calendarEntries: CalendarEntryTable;
  notices: NoticeTable;
  noticeMessages: NoticeMessageTable;
  alertRules: AlertRuleTable;
  alertFirings: AlertFiringTable;
  carriers: CarrierTable;
  carrierOrders: CarrierOrderTable;
  conversations: ConversationTable;
  messages: MessageTable;
  textOptOuts: TextOptOutTable;
  widgetKeys: WidgetKeyTable;
  widgetDays: WidgetDayTable;
  widgetRefusals: WidgetRefusalTable;
  widgetCalls: WidgetCallTable;
  widgetVisitors: WidgetVisitorTable;
  appointmentTexts: AppointmentTextTable;
  bookingTries: BookingTryTable;
  readInvites: ReadInviteTable;
  refusedCalls: RefusedCallTable;
  campaigns: CampaignTable;
  contacts: ContactTable;
  calls: CallTable;
  callContinuations: CallContinuationTable;
  scheduledCalls: ScheduledCallTable;
  callDialogs: CallDialogTable;
  callFeed: CallFeedTable;
  callOutputs: CallOutputTable;
  callProblems: CallProblemTable;
  callTimelines: CallTimelineTable;
  prices: PriceTable;
  callUses: CallUseTable;
  costs: CostTable;
  costDays: CostDayTable;
  reruns: RerunTable;
  rerunCalls: RerunCallTable;
  testSuites: TestSuiteTable;
  testCases: TestCaseTable;
  testClips: TestClipTable;
  testRuns: TestRunTable;
  testResults: TestResultTable;
  testRecordings: TestRecordingTable;
  liveViews: LiveViewTable;
  callCounts: CallCountTable;
  callDays: CallDayTable;
  callGaps: CallGapTable;
  callSweeps: CallSweepTable;
  turnMinutes: TurnMinuteTable;
  campaignTotals: CampaignTotalTable;
  contactCounts: ContactCountTable;
  contactSeconds: ContactSecondTable;
  /** The totals as they are now: read these, never what they are kept in. */
  accountUsageNow: AccountUsageTable;
  accountHoursNow: AccountHourTable;
  callCountsNow: CallCountTable;
  callDaysNow: CallDayTable;
  callGapsNow: CallGapTable;
  campaignTotalsNow: CampaignTotalTable;
  contactCountsNow: ContactCountTable;
  contactSecondsNow: ContactSecondTable;
  dialAttempts: DialAttemptTable;
  engineRequests: EngineRequestTable;
  events: EventTable;
  webhooks: WebhookTable;
  webhookQueue: WebhookQueueTable;
  webhookDeliveries: WebhookDeliveryTable;
  cursors: CursorTable;
  phoneNumbers: PhoneNumberTable;
  inventory: InventoryTable;
  charges: ChargeTable;
  portOrders: PortOrderTable;
  portDocuments: PortDocumentTable;
  fileDeletions: FileDeletionTable;
  trunks: TrunkTable;
  trunkStates: TrunkStateTable;
  sipAccounts: SipAccountTable;
  sipBindings: SipBindingTable;
  appointments: AppointmentTable;
  doNotCall: DoNotCallTable;
  idempotencyKeys: IdempotencyKeyTable;
  engines: EngineTable;
  engineVoices: EngineVoicesTable;
  jobs: JobTable;
  processes: ProcessTable;
  leases: LeaseTable;
  appliedOperations: AppliedOperationTable;
  mails: MailTable;
}

export type Db = Kysely<Schema>;
