// Written by api/openapi/openapi-write.ts from the OpenAPI document: do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

import type { AcceptInviteBody, AcceptedInviteAnswer, AccountAnswer, AccountPage, AddContactsBody, AddDoNotCallBody, AddDocumentBody, AddInventoryBody, AddTestCaseBody, AddedContactsAnswer, AddedNumbersAnswer, AddedPricesAnswer, AdminPortOrderAnswer, AdminPortOrderPage, AgentAnswer, AgentPage, AlertFiringPage, AlertRuleAnswer, AlertRulePage, AppointmentAnswer, AppointmentPage, AppointmentRemindersAnswer, AuditEntryPage, BeginCalendarSignInBody, BeginConversationBody, BeginWidgetCallBody, BegunSignInAnswer, BillingAccountAnswer, BusinessAnswer, BusinessAuditEntryPage, BusinessPage, CalendarAnswer, CalendarFeedAnswer, CalendarList, CalendarSignInAnswer, CallAnswer, CallControlAnswer, CallEventPage, CallPage, CallProblemAnswer, CampaignAnswer, CampaignDetailsAnswer, CampaignPage, CampaignPreviewAnswer, CampaignStatsAnswer, CanaryAnswer, CanaryPage, CarrierAnswer, CarrierOrderPage, CarrierOwnedList, CarrierPage, CarrierTestAnswer, CarrierTextingList, ChangePasswordBody, ChargePage, ConnectCalendarBody, ContactAnswer, ContactPage, ControlCallBody, ConversationAnswer, ConversationMessageAnswer, ConversationMessagePage, ConversationPage, CostAnswer, CostSumsAnswer, CreateAccessTokenBody, CreateAgentBody, CreateAlertRuleBody, CreateBusinessBody, CreateCampaignBody, CreateCarrierBody, CreatePortOrderBody, CreatePriceBody, CreateSipAccountBody, CreateTestSuiteBody, CreateToolBody, CreateTrunkBody, CreateWebhookBody, CreateWidgetKeyBody, DeleteWebhookAnswer, DeleteWidgetKeyAnswer, DisableSecondFactorBody, DiscardedList, DoNotCallEntryAnswer, DoNotCallEntryPage, DocumentAnswer, DocumentPage, DraftList, EnableSecondFactorBody, EndedSessionsAnswer, ErasedConversationsAnswer, ExtractFromUrlAnswer, ExtractFromUrlBody, FinishCalendarSignInBody, FinishProviderSignInBody, ForgotPasswordBody, FoundContactList, GenerateFaqsAnswer, GenerateFaqsBody, GenerateServicesAnswer, GenerateServicesBody, GetModelSettingsAnswer, HoldMusicAnswer, ImportTranscriptBody, ImportTrunkPricesBody, InventoryNumberAnswer, InventoryNumberPage, InviteUserBody, InvitedUserAnswer, KeepCallAsTestBody, ListeningAnswer, LoginBody, LoginResultAnswer, MailMessageAnswer, MakeCalendarFeedBody, MakeCarrierTrunkBody, MarkCallProblemBody, MessageAnswer, ModelAnswer, ModelKitAnswer, ModelPage, ModelSettingsAnswer, ModelTestResultAnswer, MovePortOrderBody, NewPersonalTokenAnswer, NewSipAccountAnswer, NoticeMessageAnswer, NoticeMessagePage, NumberOfferList, OpenWidgetBody, OverviewAnswer, OwnSessionAnswer, OwnSessionPage, PassageList, PersonalTokenAnswer, PersonalTokenPage, PhoneNumberAnswer, PhoneNumberPage, PlaceCallBody, PlaceWebCallBody, PortOrderAnswer, PortOrderPage, PreviewCampaignBody, PriceAnswer, PricePage, PublishAgentBody, PublishBusinessBody, PublishedList, PurchaseNumberBody, ReadInviteList, ReadSiteBody, ReadWidgetMessagesBody, RecoveryCodesAnswer, RefreshSessionBody, RefusedCallPage, RegisterBody, RegisterResultAnswer, ReleasedNumberAnswer, RerunAnswer, RerunPage, ResendVerificationBody, ResetPasswordBody, RotateWidgetKeyBody, SearchDocumentsBody, SecondFactorSetupAnswer, SessionAnswer, SetRemindersBody, SettingsAnswer, SetupPageAnswer, SignInWaysAnswer, SipAccountAnswer, SipAccountPage, SiteAnswer, StartRerunBody, StartTestRunBody, StartedCampaignAnswer, StatusAnswer, TakeOverCarrierNumberBody, TestAlertRuleBody, TestCaseAnswer, TestCasePage, TestImportAnswer, TestModelSettingsBody, TestNoticeBody, TestResultPage, TestRunAnswer, TestRunPage, TestSuiteAnswer, TestSuitePage, TestToolBody, TestWebhookBody, TokenPairAnswer, ToolAnswer, ToolPage, ToolTestAnswer, TranscriptEntryList, TrunkAnswer, TrunkPage, UpdateAccountBody, UpdateAgentBody, UpdateAlertRuleBody, UpdateAnyAccountBody, UpdateAppointmentBody, UpdateBusinessBody, UpdateCalendarBody, UpdateCampaignBody, UpdateCarrierBody, UpdateConversationBody, UpdateInventoryBody, UpdateModelSettingsBody, UpdatePhoneNumberBody, UpdateSettingsBody, UpdateSipAccountBody, UpdateTestCaseBody, UpdateTestSuiteBody, UpdateToolBody, UpdateTrunkBody, UpdateWebhookBody, UpdateWidgetKeyBody, UploadDocumentBody, UploadPortDocumentBody, UserAnswer, UserPage, VerifyEmailBody, VerifySecondFactorBody, VersionPage, VersionWithContentAnswer, VoicePage, WebCallAnswer, WebhookAnswer, WebhookDeliveryAnswer, WebhookDeliveryPage, WebhookPage, WidgetCallAnswer, WidgetFactsAnswer, WidgetKeyAnswer, WidgetKeyPage, WidgetThreadAnswer, WidgetWrittenAnswer, WriteMessageBody, WriteWidgetMessageBody } from './api-types.ts';

export interface Operations {
  acceptInvite: { params: Record<never, never>; query: Record<never, never>; body: AcceptInviteBody; answer: AcceptedInviteAnswer };
  addContacts: { params: { id: string }; query: Record<never, never>; body: AddContactsBody; answer: AddedContactsAnswer };
  addDoNotCall: { params: Record<never, never>; query: Record<never, never>; body: AddDoNotCallBody; answer: DoNotCallEntryAnswer };
  addDocument: { params: { id: string }; query: Record<never, never>; body: AddDocumentBody; answer: DocumentAnswer };
  addInventory: { params: Record<never, never>; query: Record<never, never>; body: AddInventoryBody; answer: AddedNumbersAnswer };
  addTestCase: { params: { id: string }; query: Record<never, never>; body: AddTestCaseBody; answer: TestCaseAnswer };
  beginCalendarSignIn: { params: Record<never, never>; query: Record<never, never>; body: BeginCalendarSignInBody; answer: CalendarSignInAnswer };
  beginConversation: { params: Record<never, never>; query: Record<never, never>; body: BeginConversationBody; answer: ConversationAnswer };
  beginProviderSignIn: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: BegunSignInAnswer };
  beginWidgetCall: { params: { key: string }; query: Record<never, never>; body: BeginWidgetCallBody; answer: WidgetCallAnswer };
  cancelPortOrder: { params: { id: string }; query: Record<never, never>; body: undefined; answer: PortOrderAnswer };
  cancelRerun: { params: { id: string; rerunId: string }; query: Record<never, never>; body: undefined; answer: RerunAnswer };
  cancelTestRun: { params: { id: string }; query: Record<never, never>; body: undefined; answer: TestRunAnswer };
  changePassword: { params: Record<never, never>; query: Record<never, never>; body: ChangePasswordBody; answer: SessionAnswer };
  connectCalendar: { params: { id: string }; query: Record<never, never>; body: ConnectCalendarBody; answer: CalendarAnswer };
  controlCall: { params: { id: string }; query: Record<never, never>; body: ControlCallBody; answer: CallControlAnswer };
  createAccessToken: { params: Record<never, never>; query: Record<never, never>; body: CreateAccessTokenBody; answer: NewPersonalTokenAnswer };
  createAgent: { params: Record<never, never>; query: Record<never, never>; body: CreateAgentBody; answer: AgentAnswer };
  createAlertRule: { params: Record<never, never>; query: Record<never, never>; body: CreateAlertRuleBody; answer: AlertRuleAnswer };
  createBusiness: { params: Record<never, never>; query: Record<never, never>; body: CreateBusinessBody; answer: BusinessAnswer };
  createCampaign: { params: Record<never, never>; query: Record<never, never>; body: CreateCampaignBody; answer: CampaignAnswer };
  createCarrier: { params: Record<never, never>; query: Record<never, never>; body: CreateCarrierBody; answer: CarrierAnswer };
  createPortOrder: { params: Record<never, never>; query: Record<never, never>; body: CreatePortOrderBody; answer: PortOrderAnswer };
  createPrice: { params: Record<never, never>; query: Record<never, never>; body: CreatePriceBody; answer: PriceAnswer };
  createSipAccount: { params: Record<never, never>; query: Record<never, never>; body: CreateSipAccountBody; answer: NewSipAccountAnswer };
  createTestSuite: { params: Record<never, never>; query: Record<never, never>; body: CreateTestSuiteBody; answer: TestSuiteAnswer };
  createTool: { params: Record<never, never>; query: Record<never, never>; body: CreateToolBody; answer: ToolAnswer };
  createTrunk: { params: Record<never, never>; query: Record<never, never>; body: CreateTrunkBody; answer: TrunkAnswer };
  createWebhook: { params: Record<never, never>; query: Record<never, never>; body: CreateWebhookBody; answer: WebhookAnswer };
  createWidgetKey: { params: Record<never, never>; query: Record<never, never>; body: CreateWidgetKeyBody; answer: WidgetKeyAnswer };
  deleteAgent: { params: { id: string }; query: Record<never, never>; body: undefined; answer: AgentAnswer };
  deleteAlertRule: { params: { id: string }; query: Record<never, never>; body: undefined; answer: AlertRuleAnswer };
  deleteBusiness: { params: { id: string }; query: Record<never, never>; body: undefined; answer: BusinessAnswer };
  deleteCalendarFeed: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CalendarFeedAnswer };
  deleteCampaign: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CampaignAnswer };
  deleteCarrier: { params: { id: string }; query: { undo?: boolean }; body: undefined; answer: CarrierAnswer };
  deleteDocument: { params: { id: string; documentId: string }; query: Record<never, never>; body: undefined; answer: DocumentAnswer };
  deleteHoldMusic: { params: { id: string }; query: Record<never, never>; body: undefined; answer: HoldMusicAnswer };
  deletePrice: { params: { id: string }; query: Record<never, never>; body: undefined; answer: PriceAnswer };
  deleteReminders: { params: { id: string }; query: Record<never, never>; body: undefined; answer: AppointmentRemindersAnswer };
  deleteSipAccount: { params: { id: string }; query: Record<never, never>; body: undefined; answer: SipAccountAnswer };
  deleteTestCase: { params: { id: string }; query: Record<never, never>; body: undefined; answer: TestCaseAnswer };
  deleteTestSuite: { params: { id: string }; query: Record<never, never>; body: undefined; answer: TestSuiteAnswer };
  deleteTool: { params: { id: string }; query: Record<never, never>; body: undefined; answer: ToolAnswer };
  deleteTrunk: { params: { id: string }; query: Record<never, never>; body: undefined; answer: TrunkAnswer };
  deleteWebhook: { params: { id: string }; query: Record<never, never>; body: undefined; answer: DeleteWebhookAnswer };
  deleteWidgetKey: { params: { id: string }; query: Record<never, never>; body: undefined; answer: DeleteWidgetKeyAnswer };
  disableSecondFactor: { params: Record<never, never>; query: Record<never, never>; body: DisableSecondFactorBody; answer: MessageAnswer };
  discardAgentDraft: { params: { id: string }; query: Record<never, never>; body: undefined; answer: DiscardedList };
  discardBusinessDraft: { params: { id: string }; query: Record<never, never>; body: undefined; answer: DiscardedList };
  discardToolDraft: { params: { id: string }; query: Record<never, never>; body: undefined; answer: DiscardedList };
  downloadModel: { params: { name: string }; query: Record<never, never>; body: undefined; answer: ModelAnswer };
  downloadPortDocument: { params: { id: string; documentId: string }; query: Record<never, never>; body: undefined; answer: Blob };
  enableSecondFactor: { params: Record<never, never>; query: Record<never, never>; body: EnableSecondFactorBody; answer: RecoveryCodesAnswer };
  endCall: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CallAnswer };
  endOtherSessions: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: EndedSessionsAnswer };
  endSession: { params: { id: string }; query: Record<never, never>; body: undefined; answer: OwnSessionAnswer };
  eraseCall: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CallAnswer };
  eraseConversation: { params: { id: string }; query: Record<never, never>; body: undefined; answer: ConversationAnswer };
  eraseConversationsWith: { params: { phoneNumber: string }; query: Record<never, never>; body: undefined; answer: ErasedConversationsAnswer };
  exportAllCosts: { params: Record<never, never>; query: { from?: string; to?: string; businessId?: string; campaignId?: string; agentId?: string; accountId?: string; by?: "day" | "account" | "business" | "campaign" | "agent" }; body: undefined; answer: Blob };
  exportCalls: { params: Record<never, never>; query: { direction?: "inbound" | "outbound"; status?: "RINGING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "VOICEMAIL" | "SCHEDULED"; outcome?: string; sentiment?: "positive" | "neutral" | "negative"; businessId?: string; campaignId?: string; agentId?: string; phoneNumberId?: string; startDate?: string; endDate?: string; minScore?: number; maxScore?: number; disposition?: string; forwardedFrom?: string; problem?: "misheard" | "wrong_answer" | "too_slow" | "interrupted" | "other" | "any"; number?: string }; body: undefined; answer: Blob };
  exportCosts: { params: Record<never, never>; query: { from?: string; to?: string; businessId?: string; campaignId?: string; agentId?: string; by?: "day" | "business" | "campaign" | "agent" }; body: undefined; answer: Blob };
  exportTrunkPrices: { params: Record<never, never>; query: { trunkId?: string; direction?: "inbound" | "outbound" }; body: undefined; answer: Blob };
  extractFromUrl: { params: { id: string }; query: Record<never, never>; body: ExtractFromUrlBody; answer: ExtractFromUrlAnswer };
  finishCalendarSignIn: { params: { id: string }; query: Record<never, never>; body: FinishCalendarSignInBody; answer: CalendarSignInAnswer };
  finishProviderSignIn: { params: Record<never, never>; query: Record<never, never>; body: FinishProviderSignInBody; answer: LoginResultAnswer };
  forgotPassword: { params: Record<never, never>; query: Record<never, never>; body: ForgotPasswordBody; answer: MailMessageAnswer };
  generateFaqs: { params: { id: string }; query: Record<never, never>; body: GenerateFaqsBody; answer: GenerateFaqsAnswer };
  generateServices: { params: { id: string }; query: Record<never, never>; body: GenerateServicesBody; answer: GenerateServicesAnswer };
  getAccount: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: AccountAnswer };
  getAgent: { params: { id: string }; query: Record<never, never>; body: undefined; answer: AgentAnswer };
  getAgentDraft: { params: { id: string }; query: Record<never, never>; body: undefined; answer: DraftList };
  getAgentVersion: { params: { id: string; number: string }; query: { against?: number }; body: undefined; answer: VersionWithContentAnswer };
  getAlertRule: { params: { id: string }; query: Record<never, never>; body: undefined; answer: AlertRuleAnswer };
  getAllCostSums: { params: Record<never, never>; query: { from?: string; to?: string; businessId?: string; campaignId?: string; agentId?: string; accountId?: string; by?: "day" | "account" | "business" | "campaign" | "agent" }; body: undefined; answer: CostSumsAnswer };
  getBilling: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: BillingAccountAnswer };
  getBusiness: { params: { id: string }; query: Record<never, never>; body: undefined; answer: BusinessAnswer };
  getBusinessDraft: { params: { id: string }; query: Record<never, never>; body: undefined; answer: DraftList };
  getBusinessVersion: { params: { id: string; number: string }; query: { against?: number }; body: undefined; answer: VersionWithContentAnswer };
  getCalendarFeed: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CalendarFeedAnswer };
  getCalendarSignIn: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CalendarSignInAnswer };
  getCall: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CallAnswer };
  getCallCost: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CostAnswer };
  getCampaign: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CampaignDetailsAnswer };
  getCampaignStats: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CampaignStatsAnswer };
  getCarrier: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CarrierAnswer };
  getConversation: { params: { id: string }; query: Record<never, never>; body: undefined; answer: ConversationAnswer };
  getCost: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CostAnswer };
  getCostSums: { params: Record<never, never>; query: { from?: string; to?: string; businessId?: string; campaignId?: string; agentId?: string; by?: "day" | "business" | "campaign" | "agent" }; body: undefined; answer: CostSumsAnswer };
  getCurrentUser: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: UserAnswer };
  getDocument: { params: { id: string; documentId: string }; query: Record<never, never>; body: undefined; answer: DocumentAnswer };
  getHoldMusic: { params: { id: string }; query: Record<never, never>; body: undefined; answer: HoldMusicAnswer };
  getHoldMusicAudio: { params: { id: string }; query: Record<never, never>; body: undefined; answer: Blob };
  getModel: { params: { name: string }; query: { kind?: "vad" | "stt" | "tts" | "llm" | "speech-to-speech" }; body: undefined; answer: ModelAnswer };
  getModelKit: { params: { language: string }; query: Record<never, never>; body: undefined; answer: ModelKitAnswer };
  getModelSettings: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: GetModelSettingsAnswer };
  getOverview: { params: Record<never, never>; query: { days?: number }; body: undefined; answer: OverviewAnswer };
  getPhoneNumber: { params: { id: string }; query: Record<never, never>; body: undefined; answer: PhoneNumberAnswer };
  getPortOrder: { params: { id: string }; query: Record<never, never>; body: undefined; answer: PortOrderAnswer };
  getPrice: { params: { id: string }; query: Record<never, never>; body: undefined; answer: PriceAnswer };
  getRecording: { params: { id: string }; query: Record<never, never>; body: undefined; answer: Blob };
  getReminders: { params: { id: string }; query: Record<never, never>; body: undefined; answer: AppointmentRemindersAnswer };
  getRerun: { params: { id: string; rerunId: string }; query: Record<never, never>; body: undefined; answer: RerunAnswer };
  getSettings: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: SettingsAnswer };
  getSignInWays: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: SignInWaysAnswer };
  getSipAccount: { params: { id: string }; query: Record<never, never>; body: undefined; answer: SipAccountAnswer };
  getStatus: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: StatusAnswer };
  getTestCase: { params: { id: string }; query: Record<never, never>; body: undefined; answer: TestCaseAnswer };
  getTestRecording: { params: { id: string }; query: Record<never, never>; body: undefined; answer: Blob };
  getTestRun: { params: { id: string }; query: Record<never, never>; body: undefined; answer: TestRunAnswer };
  getTestRunAsJunit: { params: { id: string }; query: Record<never, never>; body: undefined; answer: Blob };
  getTestSuite: { params: { id: string }; query: Record<never, never>; body: undefined; answer: TestSuiteAnswer };
  getTimelinePicture: { params: { id: string }; query: Record<never, never>; body: undefined; answer: Blob };
  getTool: { params: { id: string }; query: Record<never, never>; body: undefined; answer: ToolAnswer };
  getToolDraft: { params: { id: string }; query: Record<never, never>; body: undefined; answer: DraftList };
  getToolVersion: { params: { id: string; number: string }; query: { against?: number }; body: undefined; answer: VersionWithContentAnswer };
  getTranscript: { params: { id: string }; query: Record<never, never>; body: undefined; answer: TranscriptEntryList };
  getTrunk: { params: { id: string }; query: Record<never, never>; body: undefined; answer: TrunkAnswer };
  getVoicePreview: { params: { id: string }; query: Record<never, never>; body: undefined; answer: Blob };
  getWebhook: { params: { id: string }; query: Record<never, never>; body: undefined; answer: WebhookAnswer };
  getWidgetKey: { params: { id: string }; query: Record<never, never>; body: undefined; answer: WidgetKeyAnswer };
  importTranscript: { params: { id: string }; query: Record<never, never>; body: ImportTranscriptBody; answer: TestImportAnswer };
  importTrunkPrices: { params: Record<never, never>; query: { trunkId?: string | null; direction?: "inbound" | "outbound"; currency?: string; validFrom?: string }; body: ImportTrunkPricesBody; answer: AddedPricesAnswer };
  inviteUser: { params: Record<never, never>; query: Record<never, never>; body: InviteUserBody; answer: InvitedUserAnswer };
  keepCallAsTest: { params: { id: string }; query: Record<never, never>; body: KeepCallAsTestBody; answer: TestCaseAnswer };
  listAccessTokens: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: PersonalTokenPage };
  listAccounts: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: AccountPage };
  listAgentCanaries: { params: { id: string }; query: { page?: number; limit?: number }; body: undefined; answer: CanaryPage };
  listAgentVersions: { params: { id: string }; query: { page?: number; limit?: number; calls?: boolean; campaignId?: string; tests?: boolean }; body: undefined; answer: VersionPage };
  listAgents: { params: Record<never, never>; query: { page?: number; limit?: number; isActive?: boolean }; body: undefined; answer: AgentPage };
  listAlertFirings: { params: { id: string }; query: { page?: number; limit?: number }; body: undefined; answer: AlertFiringPage };
  listAlertNotices: { params: { id: string }; query: { page?: number; limit?: number; status?: "waiting" | "sent" | "failed" | "dropped" }; body: undefined; answer: NoticeMessagePage };
  listAlertRules: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: AlertRulePage };
  listAllPortOrders: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: AdminPortOrderPage };
  listAppointments: { params: Record<never, never>; query: { page?: number; limit?: number; businessId?: string; callId?: string; status?: "booked" | "cancelled"; phone?: string }; body: undefined; answer: AppointmentPage };
  listAuditLog: { params: Record<never, never>; query: { page?: number; limit?: number; actor?: string; action?: string; resource?: string; resourceId?: string; startDate?: string; endDate?: string }; body: undefined; answer: AuditEntryPage };
  listBusinessAuditLog: { params: { id: string }; query: { page?: number; limit?: number }; body: undefined; answer: BusinessAuditEntryPage };
  listBusinessCanaries: { params: { id: string }; query: { page?: number; limit?: number }; body: undefined; answer: CanaryPage };
  listBusinessVersions: { params: { id: string }; query: { page?: number; limit?: number; calls?: boolean; campaignId?: string; tests?: boolean }; body: undefined; answer: VersionPage };
  listBusinesses: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: BusinessPage };
  listCalendars: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CalendarList };
  listCallEvents: { params: { id: string }; query: { page?: number; limit?: number }; body: undefined; answer: CallEventPage };
  listCalls: { params: Record<never, never>; query: { page?: number; limit?: number; direction?: "inbound" | "outbound"; status?: "RINGING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "VOICEMAIL" | "SCHEDULED"; outcome?: string; sentiment?: "positive" | "neutral" | "negative"; businessId?: string; campaignId?: string; agentId?: string; phoneNumberId?: string; startDate?: string; endDate?: string; minScore?: number; maxScore?: number; disposition?: string; forwardedFrom?: string; problem?: "misheard" | "wrong_answer" | "too_slow" | "interrupted" | "other" | "any"; number?: string; sort?: "-startedAt" | "startedAt" | "-score" | "score" }; body: undefined; answer: CallPage };
  listCampaignCalls: { params: { id: string }; query: { page?: number; limit?: number; direction?: "inbound" | "outbound"; status?: "RINGING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "VOICEMAIL" | "SCHEDULED"; outcome?: string; sentiment?: "positive" | "neutral" | "negative"; businessId?: string; campaignId?: string; agentId?: string; phoneNumberId?: string; startDate?: string; endDate?: string; minScore?: number; maxScore?: number; disposition?: string; forwardedFrom?: string; problem?: "misheard" | "wrong_answer" | "too_slow" | "interrupted" | "other" | "any"; number?: string; sort?: "-startedAt" | "startedAt" | "-score" | "score" }; body: undefined; answer: CallPage };
  listCampaignContacts: { params: { id: string }; query: { page?: number; limit?: number; status?: "PENDING" | "CALLING" | "COMPLETED" | "FAILED" | "VOICEMAIL" | "DO_NOT_CALL" }; body: undefined; answer: ContactPage };
  listCampaigns: { params: Record<never, never>; query: { page?: number; limit?: number; status?: "DRAFT" | "SCHEDULED" | "RUNNING" | "PAUSED" | "COMPLETED" | "FAILED"; agentId?: string }; body: undefined; answer: CampaignPage };
  listCarrierNumbers: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CarrierOwnedList };
  listCarrierOrders: { params: { id: string }; query: { page?: number; limit?: number }; body: undefined; answer: CarrierOrderPage };
  listCarriers: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: CarrierPage };
  listCharges: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: ChargePage };
  listConversations: { params: Record<never, never>; query: { page?: number; limit?: number; kind?: "sms" | "chat" | "web"; answeredBy?: "agent" | "person"; businessId?: string; personNumber?: string }; body: undefined; answer: ConversationPage };
  listDeliveries: { params: { id: string }; query: { page?: number; limit?: number; success?: boolean }; body: undefined; answer: WebhookDeliveryPage };
  listDoNotCall: { params: Record<never, never>; query: { page?: number; limit?: number; phoneNumber?: string }; body: undefined; answer: DoNotCallEntryPage };
  listDocuments: { params: { id: string }; query: { page?: number; limit?: number }; body: undefined; answer: DocumentPage };
  listInstallationAuditLog: { params: Record<never, never>; query: { page?: number; limit?: number; actor?: string; action?: string; resource?: string; resourceId?: string; startDate?: string; endDate?: string }; body: undefined; answer: AuditEntryPage };
  listInventory: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: InventoryNumberPage };
  listLiveCalls: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: CallPage };
  listMessages: { params: { id: string }; query: { page?: number; limit?: number }; body: undefined; answer: ConversationMessagePage };
  listModels: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: ModelPage };
  listNotices: { params: { id: string }; query: { page?: number; limit?: number; status?: "waiting" | "sent" | "failed" | "dropped" }; body: undefined; answer: NoticeMessagePage };
  listPhoneNumbers: { params: Record<never, never>; query: { campaignId?: string; page?: number; limit?: number }; body: undefined; answer: PhoneNumberPage };
  listPortOrders: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: PortOrderPage };
  listPrices: { params: Record<never, never>; query: { page?: number; limit?: number; kind?: "llm" | "speech_to_speech" | "stt" | "tts" | "trunk"; trunkId?: string; direction?: "inbound" | "outbound" }; body: undefined; answer: PricePage };
  listReadInvites: { params: { id: string }; query: Record<never, never>; body: undefined; answer: ReadInviteList };
  listRefusedCalls: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: RefusedCallPage };
  listReruns: { params: { id: string }; query: { page?: number; limit?: number }; body: undefined; answer: RerunPage };
  listSessions: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: OwnSessionPage };
  listSipAccounts: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: SipAccountPage };
  listTestCases: { params: { id: string }; query: { page?: number; limit?: number }; body: undefined; answer: TestCasePage };
  listTestResults: { params: { id: string }; query: { page?: number; limit?: number }; body: undefined; answer: TestResultPage };
  listTestRuns: { params: Record<never, never>; query: { page?: number; limit?: number; suiteId?: string }; body: undefined; answer: TestRunPage };
  listTestSuites: { params: Record<never, never>; query: { page?: number; limit?: number; agentId?: string; businessId?: string }; body: undefined; answer: TestSuitePage };
  listToolVersions: { params: { id: string }; query: { page?: number; limit?: number; calls?: boolean; campaignId?: string; tests?: boolean }; body: undefined; answer: VersionPage };
  listTools: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: ToolPage };
  listTrunks: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: TrunkPage };
  listUsers: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: UserPage };
  listVoices: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: VoicePage };
  listWebhooks: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: WebhookPage };
  listWidgetKeys: { params: Record<never, never>; query: { page?: number; limit?: number; campaignId?: string }; body: undefined; answer: WidgetKeyPage };
  listenToCall: { params: { id: string }; query: Record<never, never>; body: undefined; answer: ListeningAnswer };
  listenToCarrierTexts: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CarrierTextingList };
  login: { params: Record<never, never>; query: Record<never, never>; body: LoginBody; answer: LoginResultAnswer };
  logout: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: MessageAnswer };
  makeCalendarFeed: { params: { id: string }; query: Record<never, never>; body: MakeCalendarFeedBody; answer: CalendarFeedAnswer };
  makeCarrierTrunk: { params: { id: string }; query: Record<never, never>; body: MakeCarrierTrunkBody; answer: TrunkAnswer };
  markCallProblem: { params: { id: string; timestamp: string }; query: Record<never, never>; body: MarkCallProblemBody; answer: CallProblemAnswer };
  movePortOrder: { params: { id: string }; query: Record<never, never>; body: MovePortOrderBody; answer: AdminPortOrderAnswer };
  openWidget: { params: { key: string }; query: Record<never, never>; body: OpenWidgetBody; answer: WidgetFactsAnswer };
  pauseCampaign: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CampaignAnswer };
  placeCall: { params: Record<never, never>; query: Record<never, never>; body: PlaceCallBody; answer: CallAnswer };
  placeWebCall: { params: Record<never, never>; query: Record<never, never>; body: PlaceWebCallBody; answer: WebCallAnswer };
  previewCampaign: { params: { id: string }; query: Record<never, never>; body: PreviewCampaignBody; answer: CampaignPreviewAnswer };
  publishAgent: { params: { id: string }; query: Record<never, never>; body: PublishAgentBody; answer: PublishedList };
  publishBusiness: { params: { id: string }; query: Record<never, never>; body: PublishBusinessBody; answer: PublishedList };
  publishTool: { params: { id: string }; query: Record<never, never>; body: undefined; answer: PublishedList };
  purchaseNumber: { params: Record<never, never>; query: Record<never, never>; body: PurchaseNumberBody; answer: PhoneNumberAnswer };
  putHoldMusic: { params: { id: string }; query: Record<never, never>; body: Blob; answer: HoldMusicAnswer };
  readCalendarFeed: { params: { id: string }; query: { token?: string; resource?: string }; body: undefined; answer: Blob };
  readSite: { params: Record<never, never>; query: Record<never, never>; body: ReadSiteBody; answer: SiteAnswer };
  readWidgetMessages: { params: { key: string }; query: Record<never, never>; body: ReadWidgetMessagesBody; answer: WidgetThreadAnswer };
  refreshCalendar: { params: { id: string; calendarId: string }; query: Record<never, never>; body: undefined; answer: CalendarAnswer };
  refreshDocument: { params: { id: string; documentId: string }; query: Record<never, never>; body: undefined; answer: DocumentAnswer };
  refreshSession: { params: Record<never, never>; query: Record<never, never>; body: RefreshSessionBody; answer: TokenPairAnswer };
  refreshTool: { params: { id: string }; query: Record<never, never>; body: undefined; answer: ToolAnswer };
  register: { params: Record<never, never>; query: Record<never, never>; body: RegisterBody; answer: RegisterResultAnswer };
  releasePhoneNumber: { params: { id: string }; query: Record<never, never>; body: undefined; answer: ReleasedNumberAnswer };
  removeCalendar: { params: { id: string; calendarId: string }; query: Record<never, never>; body: undefined; answer: CalendarAnswer };
  removeContact: { params: { id: string; contactId: string }; query: Record<never, never>; body: undefined; answer: ContactAnswer };
  removeDoNotCall: { params: { phoneNumber: string }; query: Record<never, never>; body: undefined; answer: DoNotCallEntryAnswer };
  removeInventory: { params: { phoneNumber: string }; query: Record<never, never>; body: undefined; answer: InventoryNumberAnswer };
  removeUser: { params: { id: string }; query: Record<never, never>; body: undefined; answer: UserAnswer };
  replayDelivery: { params: { id: string; deliveryId: string }; query: Record<never, never>; body: undefined; answer: WebhookDeliveryAnswer };
  resendVerification: { params: Record<never, never>; query: Record<never, never>; body: ResendVerificationBody; answer: MailMessageAnswer };
  resetPassword: { params: Record<never, never>; query: Record<never, never>; body: ResetPasswordBody; answer: MessageAnswer };
  restoreAgentVersion: { params: { id: string; number: string }; query: Record<never, never>; body: undefined; answer: AgentAnswer };
  restoreBusiness: { params: { id: string }; query: Record<never, never>; body: undefined; answer: BusinessAnswer };
  restoreBusinessVersion: { params: { id: string; number: string }; query: Record<never, never>; body: undefined; answer: BusinessAnswer };
  restoreToolVersion: { params: { id: string; number: string }; query: Record<never, never>; body: undefined; answer: ToolAnswer };
  resumeCampaign: { params: { id: string }; query: Record<never, never>; body: undefined; answer: StartedCampaignAnswer };
  revokeAccessToken: { params: { id: string }; query: Record<never, never>; body: undefined; answer: PersonalTokenAnswer };
  rotateWebhookSecret: { params: { id: string }; query: Record<never, never>; body: undefined; answer: WebhookAnswer };
  rotateWidgetKey: { params: { id: string }; query: Record<never, never>; body: RotateWidgetKeyBody; answer: WidgetKeyAnswer };
  searchContacts: { params: Record<never, never>; query: { search?: string }; body: undefined; answer: FoundContactList };
  searchDocuments: { params: { id: string }; query: Record<never, never>; body: SearchDocumentsBody; answer: PassageList };
  searchNumbers: { params: Record<never, never>; query: { country?: string; areaCode?: string; type?: "local" | "mobile" | "toll_free"; capabilities?: string }; body: undefined; answer: NumberOfferList };
  setReminders: { params: { id: string }; query: Record<never, never>; body: SetRemindersBody; answer: AppointmentRemindersAnswer };
  setUpBilling: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: SetupPageAnswer };
  setUpSecondFactor: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: SecondFactorSetupAnswer };
  startCampaign: { params: { id: string }; query: Record<never, never>; body: undefined; answer: StartedCampaignAnswer };
  startRerun: { params: { id: string }; query: Record<never, never>; body: StartRerunBody; answer: RerunAnswer };
  startTestRun: { params: { id: string }; query: Record<never, never>; body: StartTestRunBody; answer: TestRunAnswer };
  stopAgentCanary: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CanaryAnswer };
  stopBusinessCanary: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CanaryAnswer };
  streamCall: { params: { id: string }; query: Record<never, never>; body: undefined; answer: Blob };
  takeOverCarrierNumber: { params: { id: string }; query: Record<never, never>; body: TakeOverCarrierNumberBody; answer: PhoneNumberAnswer };
  testAlertRule: { params: { id: string }; query: Record<never, never>; body: TestAlertRuleBody; answer: NoticeMessageAnswer };
  testCarrier: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CarrierTestAnswer };
  testModelSettings: { params: { kind: "llm" | "stt" | "tts" | "speech-to-speech" }; query: Record<never, never>; body: TestModelSettingsBody; answer: ModelTestResultAnswer };
  testNotice: { params: { id: string }; query: Record<never, never>; body: TestNoticeBody; answer: NoticeMessageAnswer };
  testTool: { params: { id: string }; query: Record<never, never>; body: TestToolBody; answer: ToolTestAnswer };
  testWebhook: { params: { id: string }; query: Record<never, never>; body: TestWebhookBody; answer: WebhookDeliveryAnswer };
  unmarkCallProblem: { params: { id: string; timestamp: string }; query: Record<never, never>; body: undefined; answer: CallProblemAnswer };
  updateAccount: { params: Record<never, never>; query: Record<never, never>; body: UpdateAccountBody; answer: AccountAnswer };
  updateAgent: { params: { id: string }; query: Record<never, never>; body: UpdateAgentBody; answer: AgentAnswer };
  updateAlertRule: { params: { id: string }; query: Record<never, never>; body: UpdateAlertRuleBody; answer: AlertRuleAnswer };
  updateAnyAccount: { params: { id: string }; query: Record<never, never>; body: UpdateAnyAccountBody; answer: AccountAnswer };
  updateAppointment: { params: { id: string }; query: Record<never, never>; body: UpdateAppointmentBody; answer: AppointmentAnswer };
  updateBusiness: { params: { id: string }; query: Record<never, never>; body: UpdateBusinessBody; answer: BusinessAnswer };
  updateCalendar: { params: { id: string; calendarId: string }; query: Record<never, never>; body: UpdateCalendarBody; answer: CalendarAnswer };
  updateCampaign: { params: { id: string }; query: Record<never, never>; body: UpdateCampaignBody; answer: CampaignAnswer };
  updateCarrier: { params: { id: string }; query: Record<never, never>; body: UpdateCarrierBody; answer: CarrierAnswer };
  updateConversation: { params: { id: string }; query: Record<never, never>; body: UpdateConversationBody; answer: ConversationAnswer };
  updateInventory: { params: { phoneNumber: string }; query: Record<never, never>; body: UpdateInventoryBody; answer: InventoryNumberAnswer };
  updateModelSettings: { params: { kind: "llm" | "stt" | "tts" | "speech-to-speech" }; query: Record<never, never>; body: UpdateModelSettingsBody; answer: ModelSettingsAnswer };
  updatePhoneNumber: { params: { id: string }; query: Record<never, never>; body: UpdatePhoneNumberBody; answer: PhoneNumberAnswer };
  updateSettings: { params: Record<never, never>; query: Record<never, never>; body: UpdateSettingsBody; answer: SettingsAnswer };
  updateSipAccount: { params: { id: string }; query: Record<never, never>; body: UpdateSipAccountBody; answer: SipAccountAnswer };
  updateTestCase: { params: { id: string }; query: Record<never, never>; body: UpdateTestCaseBody; answer: TestCaseAnswer };
  updateTestSuite: { params: { id: string }; query: Record<never, never>; body: UpdateTestSuiteBody; answer: TestSuiteAnswer };
  updateTool: { params: { id: string }; query: Record<never, never>; body: UpdateToolBody; answer: ToolAnswer };
  updateTrunk: { params: { id: string }; query: Record<never, never>; body: UpdateTrunkBody; answer: TrunkAnswer };
  updateWebhook: { params: { id: string }; query: Record<never, never>; body: UpdateWebhookBody; answer: WebhookAnswer };
  updateWidgetKey: { params: { id: string }; query: Record<never, never>; body: UpdateWidgetKeyBody; answer: WidgetKeyAnswer };
  uploadDocument: { params: { id: string }; query: Record<never, never>; body: UploadDocumentBody; answer: DocumentAnswer };
  uploadPortDocument: { params: { id: string }; query: Record<never, never>; body: UploadPortDocumentBody; answer: PortOrderAnswer };
  verifyEmail: { params: Record<never, never>; query: Record<never, never>; body: VerifyEmailBody; answer: MessageAnswer };
  verifySecondFactor: { params: Record<never, never>; query: Record<never, never>; body: VerifySecondFactorBody; answer: SessionAnswer };
  writeMessage: { params: { id: string }; query: Record<never, never>; body: WriteMessageBody; answer: ConversationMessageAnswer };
  writeWidgetMessage: { params: { key: string }; query: Record<never, never>; body: WriteWidgetMessageBody; answer: WidgetWrittenAnswer };
}

export const OPERATIONS = {
  acceptInvite: ['POST', '/auth/accept-invite'],
  addContacts: ['POST', '/campaigns/{id}/contacts'],
  addDoNotCall: ['POST', '/do-not-call'],
  addDocument: ['POST', '/businesses/{id}/documents'],
  addInventory: ['POST', '/admin/inventory'],
  addTestCase: ['POST', '/test-suites/{id}/cases'],
  beginCalendarSignIn: ['POST', '/calendar-sign-ins'],
  beginConversation: ['POST', '/conversations'],
  beginProviderSignIn: ['POST', '/auth/provider/begin'],
  beginWidgetCall: ['POST', '/widget/{key}/calls'],
  cancelPortOrder: ['POST', '/phone-numbers/port-in/{id}/cancel'],
  cancelRerun: ['POST', '/businesses/{id}/reruns/{rerunId}/cancel'],
  cancelTestRun: ['POST', '/test-runs/{id}/cancel'],
  changePassword: ['POST', '/auth/change-password'],
  connectCalendar: ['POST', '/businesses/{id}/calendars'],
  controlCall: ['POST', '/calls/{id}/control'],
  createAccessToken: ['POST', '/auth/tokens'],
  createAgent: ['POST', '/agents'],
  createAlertRule: ['POST', '/alert-rules'],
  createBusiness: ['POST', '/businesses'],
  createCampaign: ['POST', '/campaigns'],
  createCarrier: ['POST', '/admin/carriers'],
  createPortOrder: ['POST', '/phone-numbers/port-in'],
  createPrice: ['POST', '/admin/prices'],
  createSipAccount: ['POST', '/admin/sip-accounts'],
  createTestSuite: ['POST', '/test-suites'],
  createTool: ['POST', '/tools'],
  createTrunk: ['POST', '/admin/trunks'],
  createWebhook: ['POST', '/webhooks'],
  createWidgetKey: ['POST', '/widget-keys'],
  deleteAgent: ['DELETE', '/agents/{id}'],
  deleteAlertRule: ['DELETE', '/alert-rules/{id}'],
  deleteBusiness: ['DELETE', '/businesses/{id}'],
  deleteCalendarFeed: ['DELETE', '/businesses/{id}/calendar-feed'],
  deleteCampaign: ['DELETE', '/campaigns/{id}'],
  deleteCarrier: ['DELETE', '/admin/carriers/{id}'],
  deleteDocument: ['DELETE', '/businesses/{id}/documents/{documentId}'],
  deleteHoldMusic: ['DELETE', '/businesses/{id}/hold-music'],
  deletePrice: ['DELETE', '/admin/prices/{id}'],
  deleteReminders: ['DELETE', '/businesses/{id}/reminders'],
  deleteSipAccount: ['DELETE', '/admin/sip-accounts/{id}'],
  deleteTestCase: ['DELETE', '/test-cases/{id}'],
  deleteTestSuite: ['DELETE', '/test-suites/{id}'],
  deleteTool: ['DELETE', '/tools/{id}'],
  deleteTrunk: ['DELETE', '/admin/trunks/{id}'],
  deleteWebhook: ['DELETE', '/webhooks/{id}'],
  deleteWidgetKey: ['DELETE', '/widget-keys/{id}'],
  disableSecondFactor: ['POST', '/auth/2fa/disable'],
  discardAgentDraft: ['POST', '/agents/{id}/discard'],
  discardBusinessDraft: ['POST', '/businesses/{id}/discard'],
  discardToolDraft: ['POST', '/tools/{id}/discard'],
  downloadModel: ['POST', '/admin/models/{name}/download'],
  downloadPortDocument: ['GET', '/admin/port-orders/{id}/documents/{documentId}'],
  enableSecondFactor: ['POST', '/auth/2fa/enable'],
  endCall: ['POST', '/calls/{id}/end'],
  endOtherSessions: ['DELETE', '/auth/sessions'],
  endSession: ['DELETE', '/auth/sessions/{id}'],
  eraseCall: ['DELETE', '/calls/{id}'],
  eraseConversation: ['DELETE', '/conversations/{id}'],
  eraseConversationsWith: ['DELETE', '/conversations/with/{phoneNumber}'],
  exportAllCosts: ['GET', '/admin/costs/export'],
  exportCalls: ['GET', '/calls/export'],
  exportCosts: ['GET', '/costs/export'],
  exportTrunkPrices: ['GET', '/admin/prices/export'],
  extractFromUrl: ['POST', '/businesses/{id}/extract-from-url'],
  finishCalendarSignIn: ['POST', '/calendar-sign-ins/{id}/code'],
  finishProviderSignIn: ['POST', '/auth/provider/finish'],
  forgotPassword: ['POST', '/auth/forgot-password'],
  generateFaqs: ['POST', '/businesses/{id}/generate-faqs'],
  generateServices: ['POST', '/businesses/{id}/generate-services'],
  getAccount: ['GET', '/account'],
  getAgent: ['GET', '/agents/{id}'],
  getAgentDraft: ['GET', '/agents/{id}/draft'],
  getAgentVersion: ['GET', '/agents/{id}/versions/{number}'],
  getAlertRule: ['GET', '/alert-rules/{id}'],
  getAllCostSums: ['GET', '/admin/costs'],
  getBilling: ['GET', '/account/billing'],
  getBusiness: ['GET', '/businesses/{id}'],
  getBusinessDraft: ['GET', '/businesses/{id}/draft'],
  getBusinessVersion: ['GET', '/businesses/{id}/versions/{number}'],
  getCalendarFeed: ['GET', '/businesses/{id}/calendar-feed'],
  getCalendarSignIn: ['GET', '/calendar-sign-ins/{id}'],
  getCall: ['GET', '/calls/{id}'],
  getCallCost: ['GET', '/calls/{id}/cost'],
  getCampaign: ['GET', '/campaigns/{id}'],
  getCampaignStats: ['GET', '/campaigns/{id}/stats'],
  getCarrier: ['GET', '/admin/carriers/{id}'],
  getConversation: ['GET', '/conversations/{id}'],
  getCost: ['GET', '/admin/costs/{id}'],
  getCostSums: ['GET', '/costs'],
  getCurrentUser: ['GET', '/auth/me'],
  getDocument: ['GET', '/businesses/{id}/documents/{documentId}'],
  getHoldMusic: ['GET', '/businesses/{id}/hold-music'],
  getHoldMusicAudio: ['GET', '/businesses/{id}/hold-music/audio'],
  getModel: ['GET', '/admin/models/{name}'],
  getModelKit: ['GET', '/admin/model-kits/{language}'],
  getModelSettings: ['GET', '/admin/model-settings'],
  getOverview: ['GET', '/account/overview'],
  getPhoneNumber: ['GET', '/phone-numbers/{id}'],
  getPortOrder: ['GET', '/phone-numbers/port-in/{id}'],
  getPrice: ['GET', '/admin/prices/{id}'],
  getRecording: ['GET', '/calls/{id}/audio'],
  getReminders: ['GET', '/businesses/{id}/reminders'],
  getRerun: ['GET', '/businesses/{id}/reruns/{rerunId}'],
  getSettings: ['GET', '/admin/settings'],
  getSignInWays: ['GET', '/auth/provider'],
  getSipAccount: ['GET', '/admin/sip-accounts/{id}'],
  getStatus: ['GET', '/admin/status'],
  getTestCase: ['GET', '/test-cases/{id}'],
  getTestRecording: ['GET', '/test-results/{id}/audio'],
  getTestRun: ['GET', '/test-runs/{id}'],
  getTestRunAsJunit: ['GET', '/test-runs/{id}/junit.xml'],
  getTestSuite: ['GET', '/test-suites/{id}'],
  getTimelinePicture: ['GET', '/calls/{id}/timeline.svg'],
  getTool: ['GET', '/tools/{id}'],
  getToolDraft: ['GET', '/tools/{id}/draft'],
  getToolVersion: ['GET', '/tools/{id}/versions/{number}'],
  getTranscript: ['GET', '/calls/{id}/transcript'],
  getTrunk: ['GET', '/admin/trunks/{id}'],
  getVoicePreview: ['GET', '/voices/{id}/preview'],
  getWebhook: ['GET', '/webhooks/{id}'],
  getWidgetKey: ['GET', '/widget-keys/{id}'],
  importTranscript: ['POST', '/test-suites/{id}/import'],
  importTrunkPrices: ['POST', '/admin/prices/import'],
  inviteUser: ['POST', '/account/users'],
  keepCallAsTest: ['POST', '/calls/{id}/keep-as-test'],
  listAccessTokens: ['GET', '/auth/tokens'],
  listAccounts: ['GET', '/admin/accounts'],
  listAgentCanaries: ['GET', '/agents/{id}/canaries'],
  listAgentVersions: ['GET', '/agents/{id}/versions'],
  listAgents: ['GET', '/agents'],
  listAlertFirings: ['GET', '/alert-rules/{id}/firings'],
  listAlertNotices: ['GET', '/alert-rules/{id}/notices'],
  listAlertRules: ['GET', '/alert-rules'],
  listAllPortOrders: ['GET', '/admin/port-orders'],
  listAppointments: ['GET', '/appointments'],
  listAuditLog: ['GET', '/account/audit-log'],
  listBusinessAuditLog: ['GET', '/businesses/{id}/audit-log'],
  listBusinessCanaries: ['GET', '/businesses/{id}/canaries'],
  listBusinessVersions: ['GET', '/businesses/{id}/versions'],
  listBusinesses: ['GET', '/businesses'],
  listCalendars: ['GET', '/businesses/{id}/calendars'],
  listCallEvents: ['GET', '/calls/{id}/events'],
  listCalls: ['GET', '/calls'],
  listCampaignCalls: ['GET', '/campaigns/{id}/calls'],
  listCampaignContacts: ['GET', '/campaigns/{id}/contacts'],
  listCampaigns: ['GET', '/campaigns'],
  listCarrierNumbers: ['GET', '/admin/carriers/{id}/numbers'],
  listCarrierOrders: ['GET', '/admin/carriers/{id}/orders'],
  listCarriers: ['GET', '/admin/carriers'],
  listCharges: ['GET', '/account/charges'],
  listConversations: ['GET', '/conversations'],
  listDeliveries: ['GET', '/webhooks/{id}/deliveries'],
  listDoNotCall: ['GET', '/do-not-call'],
  listDocuments: ['GET', '/businesses/{id}/documents'],
  listInstallationAuditLog: ['GET', '/admin/audit-log'],
  listInventory: ['GET', '/admin/inventory'],
  listLiveCalls: ['GET', '/live'],
  listMessages: ['GET', '/conversations/{id}/messages'],
  listModels: ['GET', '/admin/models'],
  listNotices: ['GET', '/businesses/{id}/notices'],
  listPhoneNumbers: ['GET', '/phone-numbers'],
  listPortOrders: ['GET', '/phone-numbers/port-in'],
  listPrices: ['GET', '/admin/prices'],
  listReadInvites: ['GET', '/admin/trunks/{id}/invites'],
  listRefusedCalls: ['GET', '/admin/refused-calls'],
  listReruns: ['GET', '/businesses/{id}/reruns'],
  listSessions: ['GET', '/auth/sessions'],
  listSipAccounts: ['GET', '/admin/sip-accounts'],
  listTestCases: ['GET', '/test-suites/{id}/cases'],
  listTestResults: ['GET', '/test-runs/{id}/results'],
  listTestRuns: ['GET', '/test-runs'],
  listTestSuites: ['GET', '/test-suites'],
  listToolVersions: ['GET', '/tools/{id}/versions'],
  listTools: ['GET', '/tools'],
  listTrunks: ['GET', '/admin/trunks'],
  listUsers: ['GET', '/account/users'],
  listVoices: ['GET', '/voices'],
  listWebhooks: ['GET', '/webhooks'],
  listWidgetKeys: ['GET', '/widget-keys'],
  listenToCall: ['POST', '/calls/{id}/listen'],
  listenToCarrierTexts: ['POST', '/admin/carriers/{id}/texting'],
  login: ['POST', '/auth/login'],
  logout: ['POST', '/auth/logout'],
  makeCalendarFeed: ['POST', '/businesses/{id}/calendar-feed'],
  makeCarrierTrunk: ['POST', '/admin/carriers/{id}/trunk'],
  markCallProblem: ['PUT', '/calls/{id}/problems/{timestamp}'],
  movePortOrder: ['PATCH', '/admin/port-orders/{id}'],
  openWidget: ['POST', '/widget/{key}'],
  pauseCampaign: ['POST', '/campaigns/{id}/pause'],
  placeCall: ['POST', '/calls'],
  placeWebCall: ['POST', '/calls/web'],
  previewCampaign: ['POST', '/campaigns/{id}/preview'],
  publishAgent: ['POST', '/agents/{id}/publish'],
  publishBusiness: ['POST', '/businesses/{id}/publish'],
  publishTool: ['POST', '/tools/{id}/publish'],
  purchaseNumber: ['POST', '/phone-numbers/purchase'],
  putHoldMusic: ['PUT', '/businesses/{id}/hold-music'],
  readCalendarFeed: ['GET', '/businesses/{id}/calendar.ics'],
  readSite: ['POST', '/businesses/read-site'],
  readWidgetMessages: ['POST', '/widget/{key}/messages/read'],
  refreshCalendar: ['POST', '/businesses/{id}/calendars/{calendarId}/refresh'],
  refreshDocument: ['POST', '/businesses/{id}/documents/{documentId}/refresh'],
  refreshSession: ['POST', '/auth/refresh'],
  refreshTool: ['POST', '/tools/{id}/refresh'],
  register: ['POST', '/auth/register'],
  releasePhoneNumber: ['DELETE', '/phone-numbers/{id}'],
  removeCalendar: ['DELETE', '/businesses/{id}/calendars/{calendarId}'],
  removeContact: ['DELETE', '/campaigns/{id}/contacts/{contactId}'],
  removeDoNotCall: ['DELETE', '/do-not-call/{phoneNumber}'],
  removeInventory: ['DELETE', '/admin/inventory/{phoneNumber}'],
  removeUser: ['DELETE', '/account/users/{id}'],
  replayDelivery: ['POST', '/webhooks/{id}/deliveries/{deliveryId}/replay'],
  resendVerification: ['POST', '/auth/resend-verification'],
  resetPassword: ['POST', '/auth/reset-password'],
  restoreAgentVersion: ['POST', '/agents/{id}/versions/{number}/restore'],
  restoreBusiness: ['POST', '/businesses/{id}/restore'],
  restoreBusinessVersion: ['POST', '/businesses/{id}/versions/{number}/restore'],
  restoreToolVersion: ['POST', '/tools/{id}/versions/{number}/restore'],
  resumeCampaign: ['POST', '/campaigns/{id}/resume'],
  revokeAccessToken: ['DELETE', '/auth/tokens/{id}'],
  rotateWebhookSecret: ['POST', '/webhooks/{id}/rotate-secret'],
  rotateWidgetKey: ['POST', '/widget-keys/{id}/rotate'],
  searchContacts: ['GET', '/contacts'],
  searchDocuments: ['POST', '/businesses/{id}/documents/search'],
  searchNumbers: ['GET', '/phone-numbers/search'],
  setReminders: ['PUT', '/businesses/{id}/reminders'],
  setUpBilling: ['POST', '/account/billing/setup'],
  setUpSecondFactor: ['POST', '/auth/2fa/setup'],
  startCampaign: ['POST', '/campaigns/{id}/start'],
  startRerun: ['POST', '/businesses/{id}/reruns'],
  startTestRun: ['POST', '/test-suites/{id}/runs'],
  stopAgentCanary: ['POST', '/agents/{id}/canary/stop'],
  stopBusinessCanary: ['POST', '/businesses/{id}/canary/stop'],
  streamCall: ['GET', '/calls/{id}/stream'],
  takeOverCarrierNumber: ['POST', '/admin/carriers/{id}/numbers'],
  testAlertRule: ['POST', '/alert-rules/{id}/test'],
  testCarrier: ['POST', '/admin/carriers/{id}/test'],
  testModelSettings: ['POST', '/admin/model-settings/{kind}/test'],
  testNotice: ['POST', '/businesses/{id}/notices/test'],
  testTool: ['POST', '/tools/{id}/test'],
  testWebhook: ['POST', '/webhooks/{id}/test'],
  unmarkCallProblem: ['DELETE', '/calls/{id}/problems/{timestamp}'],
  updateAccount: ['PATCH', '/account'],
  updateAgent: ['PATCH', '/agents/{id}'],
  updateAlertRule: ['PATCH', '/alert-rules/{id}'],
  updateAnyAccount: ['PATCH', '/admin/accounts/{id}'],
  updateAppointment: ['PATCH', '/appointments/{id}'],
  updateBusiness: ['PATCH', '/businesses/{id}'],
  updateCalendar: ['PATCH', '/businesses/{id}/calendars/{calendarId}'],
  updateCampaign: ['PATCH', '/campaigns/{id}'],
  updateCarrier: ['PATCH', '/admin/carriers/{id}'],
  updateConversation: ['PATCH', '/conversations/{id}'],
  updateInventory: ['PATCH', '/admin/inventory/{phoneNumber}'],
  updateModelSettings: ['PATCH', '/admin/model-settings/{kind}'],
  updatePhoneNumber: ['PATCH', '/phone-numbers/{id}'],
  updateSettings: ['PATCH', '/admin/settings'],
  updateSipAccount: ['PATCH', '/admin/sip-accounts/{id}'],
  updateTestCase: ['PATCH', '/test-cases/{id}'],
  updateTestSuite: ['PATCH', '/test-suites/{id}'],
  updateTool: ['PATCH', '/tools/{id}'],
  updateTrunk: ['PATCH', '/admin/trunks/{id}'],
  updateWebhook: ['PATCH', '/webhooks/{id}'],
  updateWidgetKey: ['PATCH', '/widget-keys/{id}'],
  uploadDocument: ['POST', '/businesses/{id}/documents/upload'],
  uploadPortDocument: ['POST', '/phone-numbers/port-in/{id}/documents'],
  verifyEmail: ['POST', '/auth/verify-email'],
  verifySecondFactor: ['POST', '/auth/verify-2fa'],
  writeMessage: ['POST', '/conversations/{id}/messages'],
  writeWidgetMessage: ['POST', '/widget/{key}/messages'],
} as const satisfies Record<keyof Operations, readonly [string, string]>;
