// The methods of each group of operations.
// Written by api/openapi/openapi-write.ts from the OpenAPI document: do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

import type { CallStreamEvent } from './call-stream.ts';
import type { Listing } from './listing.ts';
import type { RequestOptions } from './transport.ts';
import type { AcceptInviteBody, AcceptedInvite, Account, AddContactsBody, AddDoNotCallBody, AddDocumentBody, AddInventoryBody, AddTestCaseBody, AddedContacts, AddedNumbers, AddedPrices, AdminPortOrder, Agent, AlertFiring, AlertRule, Appointment, AppointmentReminders, AuditEntry, BeginCalendarSignInBody, BeginConversationBody, BeginWidgetCallBody, BegunSignIn, BillingAccount, Business, BusinessAuditEntry, Calendar, CalendarAccounts, CalendarFeed, CalendarSignIn, Call, CallControl, CallEvent, CallProblem, Campaign, CampaignDetails, CampaignPreview, CampaignStats, Canary, Carrier, CarrierOrder, CarrierOwned, CarrierTest, CarrierTexting, ChangePasswordBody, Charge, ConnectCalendarBody, Contact, ControlCallBody, Conversation, ConversationMessage, Cost, CostSums, CreateAccessTokenBody, CreateAgentBody, CreateAlertRuleBody, CreateAppointmentBody, CreateBusinessBody, CreateCampaignBody, CreateCarrierBody, CreatePortOrderBody, CreatePriceBody, CreateSipAccountBody, CreateTestSuiteBody, CreateToolBody, CreateTrunkBody, CreateWebhookBody, CreateWidgetKeyBody, DeleteWebhookResult, DeleteWidgetKeyResult, DisableSecondFactorBody, Discarded, DoNotCallEntry, Document, Draft, EnableSecondFactorBody, EndedSessions, ErasedConversations, ExtractFromUrlBody, ExtractFromUrlResult, FinishCalendarSignInBody, FinishProviderSignInBody, ForgotPasswordBody, FoundContact, FreeTimes, GenerateFaqsBody, GenerateFaqsResult, GenerateServicesBody, GenerateServicesResult, GetModelSettingsResult, HoldMusic, ImportTranscriptBody, ImportTrunkPricesBody, InventoryNumber, InviteUserBody, InvitedUser, KeepCallAsTestBody, Listening, LoginBody, LoginResult, MailMessage, MakeCalendarFeedBody, MakeCarrierTrunkBody, MarkCallProblemBody, Message, Model, ModelKit, ModelSettings, ModelTestResult, MovePortOrderBody, NewPersonalToken, NewSipAccount, NoticeMessage, NumberOffer, OpenWidgetBody, Overview, OwnSession, Passage, PersonalToken, PhoneNumber, PlaceCallBody, PlaceWebCallBody, PortOrder, PreviewCampaignBody, Price, PublishAgentBody, PublishBusinessBody, Published, PurchaseNumberBody, ReadInvite, ReadSiteBody, ReadWidgetMessagesBody, RecoveryCodes, RefreshSessionBody, RefusedCall, RegisterBody, RegisterResult, ReleasedNumber, Rerun, ResendVerificationBody, ResetPasswordBody, RotateWidgetKeyBody, SearchDocumentsBody, SecondFactorSetup, Session, SetRemindersBody, Settings, SetupPage, SignInWays, SipAccount, Site, StartRerunBody, StartTestRunBody, StartedCampaign, Status, TakeOverCarrierNumberBody, TestAlertRuleBody, TestCase, TestImport, TestModelSettingsBody, TestNoticeBody, TestResult, TestRun, TestSuite, TestToolBody, TestWebhookBody, TokenPair, Tool, ToolTest, TranscriptEntry, Trunk, UpdateAccountBody, UpdateAgentBody, UpdateAlertRuleBody, UpdateAnyAccountBody, UpdateAppointmentBody, UpdateBusinessBody, UpdateCalendarBody, UpdateCampaignBody, UpdateCarrierBody, UpdateConversationBody, UpdateInventoryBody, UpdateModelSettingsBody, UpdatePhoneNumberBody, UpdateSettingsBody, UpdateSipAccountBody, UpdateTestCaseBody, UpdateTestSuiteBody, UpdateToolBody, UpdateTrunkBody, UpdateWebhookBody, UpdateWidgetKeyBody, UploadDocumentBody, UploadPortDocumentBody, User, VerifyEmailBody, VerifySecondFactorBody, Version, VersionWithContent, Voice, WebCall, Webhook, WebhookDelivery, WidgetCall, WidgetFacts, WidgetKey, WidgetThread, WidgetWritten, WriteMessageBody, WriteWidgetMessageBody } from './types.ts';

export interface AccountOperations {
  get(options?: RequestOptions): Promise<Account>;
  getOverview(query?: { days?: number; timezone?: string }, options?: RequestOptions): Promise<Overview>;
  inviteUser(body: InviteUserBody, options?: RequestOptions): Promise<InvitedUser>;
  listAuditLog(query?: { page?: number; limit?: number; actor?: string; action?: string; resource?: string; resourceId?: string; startDate?: string; endDate?: string }, options?: RequestOptions): Listing<AuditEntry>;
  listInstallationAuditLog(query?: { page?: number; limit?: number; actor?: string; action?: string; resource?: string; resourceId?: string; startDate?: string; endDate?: string }, options?: RequestOptions): Listing<AuditEntry>;
  listUsers(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<User>;
  removeUser(id: string, options?: RequestOptions): Promise<User>;
  update(body?: UpdateAccountBody, options?: RequestOptions): Promise<Account>;
}

export interface AdministrationOperations {
  addInventory(body?: AddInventoryBody, options?: RequestOptions): Promise<AddedNumbers>;
  createCarrier(body: CreateCarrierBody, options?: RequestOptions): Promise<Carrier>;
  createSipAccount(body: CreateSipAccountBody, options?: RequestOptions): Promise<NewSipAccount>;
  createTrunk(body: CreateTrunkBody, options?: RequestOptions): Promise<Trunk>;
  deleteCarrier(id: string, query?: { undo?: boolean }, options?: RequestOptions): Promise<Carrier>;
  deleteSipAccount(id: string, options?: RequestOptions): Promise<SipAccount>;
  deleteTrunk(id: string, options?: RequestOptions): Promise<Trunk>;
  getCarrier(id: string, options?: RequestOptions): Promise<Carrier>;
  getSettings(options?: RequestOptions): Promise<Settings>;
  getSipAccount(id: string, options?: RequestOptions): Promise<SipAccount>;
  getStatus(options?: RequestOptions): Promise<Status>;
  getTrunk(id: string, options?: RequestOptions): Promise<Trunk>;
  listAccounts(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<Account>;
  listCarrierNumbers(id: string, options?: RequestOptions): Promise<Array<CarrierOwned>>;
  listCarrierOrders(id: string, query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<CarrierOrder>;
  listCarriers(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<Carrier>;
  listInventory(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<InventoryNumber>;
  listReadInvites(id: string, options?: RequestOptions): Promise<Array<ReadInvite>>;
  listRefusedCalls(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<RefusedCall>;
  listSipAccounts(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<SipAccount>;
  listTrunks(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<Trunk>;
  listenToCarrierTexts(id: string, options?: RequestOptions): Promise<Array<CarrierTexting>>;
  makeCarrierTrunk(id: string, body?: MakeCarrierTrunkBody, options?: RequestOptions): Promise<Trunk>;
  removeInventory(phoneNumber: string, options?: RequestOptions): Promise<InventoryNumber>;
  takeOverCarrierNumber(id: string, body: TakeOverCarrierNumberBody, options?: RequestOptions): Promise<PhoneNumber>;
  testCarrier(id: string, options?: RequestOptions): Promise<CarrierTest>;
  updateAnyAccount(id: string, body?: UpdateAnyAccountBody, options?: RequestOptions): Promise<Account>;
  updateCarrier(id: string, body?: UpdateCarrierBody, options?: RequestOptions): Promise<Carrier>;
  updateInventory(phoneNumber: string, body?: UpdateInventoryBody, options?: RequestOptions): Promise<InventoryNumber>;
  updateSettings(body?: UpdateSettingsBody, options?: RequestOptions): Promise<Settings>;
  updateSipAccount(id: string, body?: UpdateSipAccountBody, options?: RequestOptions): Promise<SipAccount>;
  updateTrunk(id: string, body?: UpdateTrunkBody, options?: RequestOptions): Promise<Trunk>;
}

export interface AgentsOperations {
  create(body: CreateAgentBody, options?: RequestOptions): Promise<Agent>;
  delete(id: string, options?: RequestOptions): Promise<Agent>;
  discardDraft(id: string, options?: RequestOptions): Promise<Array<Discarded>>;
  get(id: string, options?: RequestOptions): Promise<Agent>;
  getDraft(id: string, options?: RequestOptions): Promise<Array<Draft>>;
  getVersion(id: string, number: string, query?: { against?: number }, options?: RequestOptions): Promise<VersionWithContent>;
  list(query?: { page?: number; limit?: number; isActive?: boolean }, options?: RequestOptions): Listing<Agent>;
  listCanaries(id: string, query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<Canary>;
  listVersions(id: string, query?: { page?: number; limit?: number; calls?: boolean; campaignId?: string; tests?: boolean }, options?: RequestOptions): Listing<Version>;
  publish(id: string, body: PublishAgentBody, options?: RequestOptions): Promise<Array<Published>>;
  restoreVersion(id: string, number: string, options?: RequestOptions): Promise<Agent>;
  stopCanary(id: string, options?: RequestOptions): Promise<Canary>;
  update(id: string, body?: UpdateAgentBody, options?: RequestOptions): Promise<Agent>;
}

export interface AlertsOperations {
  createRule(body: CreateAlertRuleBody, options?: RequestOptions): Promise<AlertRule>;
  deleteRule(id: string, options?: RequestOptions): Promise<AlertRule>;
  getRule(id: string, options?: RequestOptions): Promise<AlertRule>;
  listFirings(id: string, query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<AlertFiring>;
  listNotices(id: string, query?: { page?: number; limit?: number; status?: "waiting" | "sent" | "failed" | "dropped" }, options?: RequestOptions): Listing<NoticeMessage>;
  listRules(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<AlertRule>;
  testRule(id: string, body: TestAlertRuleBody, options?: RequestOptions): Promise<NoticeMessage>;
  updateRule(id: string, body?: UpdateAlertRuleBody, options?: RequestOptions): Promise<AlertRule>;
}

export interface AppointmentsOperations {
  create(body: CreateAppointmentBody, options?: RequestOptions): Promise<Appointment>;
  deleteReminders(id: string, options?: RequestOptions): Promise<AppointmentReminders>;
  getFreeTimes(id: string, query?: { from?: string; to?: string; service?: string; durationMinutes?: number; resource?: string; besides?: string }, options?: RequestOptions): Promise<FreeTimes>;
  getReminders(id: string, options?: RequestOptions): Promise<AppointmentReminders>;
  list(query?: { page?: number; limit?: number; businessId?: string; callId?: string; status?: "booked" | "cancelled"; phone?: string; resource?: string; agentId?: string; from?: string; to?: string }, options?: RequestOptions): Listing<Appointment>;
  setReminders(id: string, body: SetRemindersBody, options?: RequestOptions): Promise<AppointmentReminders>;
  update(id: string, body?: UpdateAppointmentBody, options?: RequestOptions): Promise<Appointment>;
}

export interface AuthenticationOperations {
  acceptInvite(body: AcceptInviteBody, options?: RequestOptions): Promise<AcceptedInvite>;
  beginProviderSignIn(options?: RequestOptions): Promise<BegunSignIn>;
  changePassword(body: ChangePasswordBody, options?: RequestOptions): Promise<Session>;
  createAccessToken(body: CreateAccessTokenBody, options?: RequestOptions): Promise<NewPersonalToken>;
  disableSecondFactor(body: DisableSecondFactorBody, options?: RequestOptions): Promise<Message>;
  enableSecondFactor(body: EnableSecondFactorBody, options?: RequestOptions): Promise<RecoveryCodes>;
  endOtherSessions(options?: RequestOptions): Promise<EndedSessions>;
  endSession(id: string, options?: RequestOptions): Promise<OwnSession>;
  finishProviderSignIn(body: FinishProviderSignInBody, options?: RequestOptions): Promise<LoginResult>;
  forgotPassword(body: ForgotPasswordBody, options?: RequestOptions): Promise<MailMessage>;
  getCurrentUser(options?: RequestOptions): Promise<User>;
  getSignInWays(options?: RequestOptions): Promise<SignInWays>;
  listAccessTokens(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<PersonalToken>;
  listSessions(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<OwnSession>;
  login(body: LoginBody, options?: RequestOptions): Promise<LoginResult>;
  logout(options?: RequestOptions): Promise<Message>;
  refreshSession(body: RefreshSessionBody, options?: RequestOptions): Promise<TokenPair>;
  register(body: RegisterBody, options?: RequestOptions): Promise<RegisterResult>;
  resendVerification(body: ResendVerificationBody, options?: RequestOptions): Promise<MailMessage>;
  resetPassword(body: ResetPasswordBody, options?: RequestOptions): Promise<Message>;
  revokeAccessToken(id: string, options?: RequestOptions): Promise<PersonalToken>;
  setUpSecondFactor(options?: RequestOptions): Promise<SecondFactorSetup>;
  verifyEmail(body: VerifyEmailBody, options?: RequestOptions): Promise<Message>;
  verifySecondFactor(body: VerifySecondFactorBody, options?: RequestOptions): Promise<Session>;
}

export interface BillingOperations {
  get(options?: RequestOptions): Promise<BillingAccount>;
  listCharges(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<Charge>;
  setUp(options?: RequestOptions): Promise<SetupPage>;
}

export interface BusinessesOperations {
  create(body: CreateBusinessBody, options?: RequestOptions): Promise<Business>;
  delete(id: string, options?: RequestOptions): Promise<Business>;
  deleteHoldMusic(id: string, options?: RequestOptions): Promise<HoldMusic>;
  discardDraft(id: string, options?: RequestOptions): Promise<Array<Discarded>>;
  extractFromUrl(id: string, body: ExtractFromUrlBody, options?: RequestOptions): Promise<ExtractFromUrlResult>;
  generateFaqs(id: string, body?: GenerateFaqsBody, options?: RequestOptions): Promise<GenerateFaqsResult>;
  generateServices(id: string, body?: GenerateServicesBody, options?: RequestOptions): Promise<GenerateServicesResult>;
  get(id: string, options?: RequestOptions): Promise<Business>;
  getDraft(id: string, options?: RequestOptions): Promise<Array<Draft>>;
  getHoldMusic(id: string, options?: RequestOptions): Promise<HoldMusic>;
  getHoldMusicAudio(id: string, options?: RequestOptions): Promise<Response>;
  getVersion(id: string, number: string, query?: { against?: number }, options?: RequestOptions): Promise<VersionWithContent>;
  list(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<Business>;
  listAuditLog(id: string, query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<BusinessAuditEntry>;
  listCanaries(id: string, query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<Canary>;
  listNotices(id: string, query?: { page?: number; limit?: number; status?: "waiting" | "sent" | "failed" | "dropped" }, options?: RequestOptions): Listing<NoticeMessage>;
  listVersions(id: string, query?: { page?: number; limit?: number; calls?: boolean; campaignId?: string; tests?: boolean }, options?: RequestOptions): Listing<Version>;
  publish(id: string, body: PublishBusinessBody, options?: RequestOptions): Promise<Array<Published>>;
  putHoldMusic(id: string, body: Blob, options?: RequestOptions): Promise<HoldMusic>;
  readSite(body: ReadSiteBody, options?: RequestOptions): Promise<Site>;
  restore(id: string, options?: RequestOptions): Promise<Business>;
  restoreVersion(id: string, number: string, options?: RequestOptions): Promise<Business>;
  stopCanary(id: string, options?: RequestOptions): Promise<Canary>;
  testNotice(id: string, body: TestNoticeBody, options?: RequestOptions): Promise<NoticeMessage>;
  update(id: string, body?: UpdateBusinessBody, options?: RequestOptions): Promise<Business>;
}

export interface CalendarsOperations {
  beginSignIn(body: BeginCalendarSignInBody, options?: RequestOptions): Promise<CalendarSignIn>;
  connect(id: string, body: ConnectCalendarBody, options?: RequestOptions): Promise<Calendar>;
  deleteFeed(id: string, options?: RequestOptions): Promise<CalendarFeed>;
  finishSignIn(id: string, body: FinishCalendarSignInBody, options?: RequestOptions): Promise<CalendarSignIn>;
  getAccounts(options?: RequestOptions): Promise<CalendarAccounts>;
  getFeed(id: string, options?: RequestOptions): Promise<CalendarFeed>;
  getSignIn(id: string, options?: RequestOptions): Promise<CalendarSignIn>;
  list(id: string, options?: RequestOptions): Promise<Array<Calendar>>;
  makeFeed(id: string, body?: MakeCalendarFeedBody, options?: RequestOptions): Promise<CalendarFeed>;
  readFeed(id: string, query?: { token?: string; resource?: string }, options?: RequestOptions): Promise<Response>;
  refresh(id: string, calendarId: string, options?: RequestOptions): Promise<Calendar>;
  remove(id: string, calendarId: string, options?: RequestOptions): Promise<Calendar>;
  update(id: string, calendarId: string, body?: UpdateCalendarBody, options?: RequestOptions): Promise<Calendar>;
}

export interface CallsOperations {
  control(id: string, body: ControlCallBody, options?: RequestOptions): Promise<CallControl>;
  end(id: string, options?: RequestOptions): Promise<Call>;
  erase(id: string, options?: RequestOptions): Promise<Call>;
  export(query?: { direction?: "inbound" | "outbound"; status?: "RINGING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "VOICEMAIL" | "SCHEDULED"; outcome?: string; sentiment?: "positive" | "neutral" | "negative"; businessId?: string; campaignId?: string; agentId?: string; phoneNumberId?: string; startDate?: string; endDate?: string; minScore?: number; maxScore?: number; disposition?: string; forwardedFrom?: string; problem?: "misheard" | "wrong_answer" | "too_slow" | "interrupted" | "other" | "any"; number?: string }, options?: RequestOptions): Promise<Response>;
  get(id: string, options?: RequestOptions): Promise<Call>;
  getRecording(id: string, options?: RequestOptions): Promise<Response>;
  getTimelinePicture(id: string, options?: RequestOptions): Promise<Response>;
  getTranscript(id: string, options?: RequestOptions): Promise<Array<TranscriptEntry>>;
  list(query?: { page?: number; limit?: number; direction?: "inbound" | "outbound"; status?: "RINGING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "VOICEMAIL" | "SCHEDULED"; outcome?: string; sentiment?: "positive" | "neutral" | "negative"; businessId?: string; campaignId?: string; agentId?: string; phoneNumberId?: string; startDate?: string; endDate?: string; minScore?: number; maxScore?: number; disposition?: string; forwardedFrom?: string; problem?: "misheard" | "wrong_answer" | "too_slow" | "interrupted" | "other" | "any"; number?: string; sort?: "-startedAt" | "startedAt" | "-score" | "score" }, options?: RequestOptions): Listing<Call>;
  listEvents(id: string, query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<CallEvent>;
  listLive(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<Call>;
  listenTo(id: string, options?: RequestOptions): Promise<Listening>;
  markProblem(id: string, timestamp: string, body: MarkCallProblemBody, options?: RequestOptions): Promise<CallProblem>;
  place(body: PlaceCallBody, options?: RequestOptions): Promise<Call>;
  placeWeb(body: PlaceWebCallBody, options?: RequestOptions): Promise<WebCall>;
  stream(id: string, options?: RequestOptions): AsyncIterable<CallStreamEvent>;
  unmarkProblem(id: string, timestamp: string, options?: RequestOptions): Promise<CallProblem>;
}

export interface CampaignsOperations {
  create(body: CreateCampaignBody, options?: RequestOptions): Promise<Campaign>;
  delete(id: string, options?: RequestOptions): Promise<Campaign>;
  get(id: string, options?: RequestOptions): Promise<CampaignDetails>;
  getStats(id: string, options?: RequestOptions): Promise<CampaignStats>;
  list(query?: { page?: number; limit?: number; status?: "DRAFT" | "SCHEDULED" | "RUNNING" | "PAUSED" | "COMPLETED" | "FAILED"; agentId?: string }, options?: RequestOptions): Listing<Campaign>;
  listCalls(id: string, query?: { page?: number; limit?: number; direction?: "inbound" | "outbound"; status?: "RINGING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "VOICEMAIL" | "SCHEDULED"; outcome?: string; sentiment?: "positive" | "neutral" | "negative"; businessId?: string; campaignId?: string; agentId?: string; phoneNumberId?: string; startDate?: string; endDate?: string; minScore?: number; maxScore?: number; disposition?: string; forwardedFrom?: string; problem?: "misheard" | "wrong_answer" | "too_slow" | "interrupted" | "other" | "any"; number?: string; sort?: "-startedAt" | "startedAt" | "-score" | "score" }, options?: RequestOptions): Listing<Call>;
  pause(id: string, options?: RequestOptions): Promise<Campaign>;
  preview(id: string, body?: PreviewCampaignBody, options?: RequestOptions): Promise<CampaignPreview>;
  resume(id: string, options?: RequestOptions): Promise<StartedCampaign>;
  start(id: string, options?: RequestOptions): Promise<StartedCampaign>;
  update(id: string, body?: UpdateCampaignBody, options?: RequestOptions): Promise<Campaign>;
}

export interface ContactsOperations {
  add(id: string, body: AddContactsBody | string, options?: RequestOptions): Promise<AddedContacts>;
  list(id: string, query?: { page?: number; limit?: number; status?: "PENDING" | "CALLING" | "COMPLETED" | "FAILED" | "VOICEMAIL" | "DO_NOT_CALL" }, options?: RequestOptions): Listing<Contact>;
  remove(id: string, contactId: string, options?: RequestOptions): Promise<Contact>;
  search(query?: { search?: string }, options?: RequestOptions): Promise<Array<FoundContact>>;
}

export interface ConversationsOperations {
  begin(body: BeginConversationBody, options?: RequestOptions): Promise<Conversation>;
  erase(id: string, options?: RequestOptions): Promise<Conversation>;
  eraseWith(phoneNumber: string, options?: RequestOptions): Promise<ErasedConversations>;
  get(id: string, options?: RequestOptions): Promise<Conversation>;
  list(query?: { page?: number; limit?: number; kind?: "sms" | "chat" | "web"; answeredBy?: "agent" | "person"; businessId?: string; personNumber?: string }, options?: RequestOptions): Listing<Conversation>;
  listMessages(id: string, query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<ConversationMessage>;
  update(id: string, body?: UpdateConversationBody, options?: RequestOptions): Promise<Conversation>;
  writeMessage(id: string, body: WriteMessageBody, options?: RequestOptions): Promise<ConversationMessage>;
}

export interface CostsOperations {
  createPrice(body: CreatePriceBody, options?: RequestOptions): Promise<Price>;
  deletePrice(id: string, options?: RequestOptions): Promise<Price>;
  export(query?: { from?: string; to?: string; businessId?: string; campaignId?: string; agentId?: string; by?: "day" | "business" | "campaign" | "agent" }, options?: RequestOptions): Promise<Response>;
  exportAll(query?: { from?: string; to?: string; businessId?: string; campaignId?: string; agentId?: string; accountId?: string; by?: "day" | "account" | "business" | "campaign" | "agent" }, options?: RequestOptions): Promise<Response>;
  exportTrunkPrices(query?: { trunkId?: string; direction?: "inbound" | "outbound" }, options?: RequestOptions): Promise<Response>;
  get(id: string, options?: RequestOptions): Promise<Cost>;
  getAllSums(query?: { from?: string; to?: string; businessId?: string; campaignId?: string; agentId?: string; accountId?: string; by?: "day" | "account" | "business" | "campaign" | "agent" }, options?: RequestOptions): Promise<CostSums>;
  getCall(id: string, options?: RequestOptions): Promise<Cost>;
  getPrice(id: string, options?: RequestOptions): Promise<Price>;
  getSums(query?: { from?: string; to?: string; businessId?: string; campaignId?: string; agentId?: string; by?: "day" | "business" | "campaign" | "agent" }, options?: RequestOptions): Promise<CostSums>;
  importTrunkPrices(body: ImportTrunkPricesBody | string, query?: { trunkId?: string | null; direction?: "inbound" | "outbound"; currency?: string; validFrom?: string }, options?: RequestOptions): Promise<AddedPrices>;
  listPrices(query?: { page?: number; limit?: number; kind?: "llm" | "speech_to_speech" | "stt" | "tts" | "trunk"; trunkId?: string; direction?: "inbound" | "outbound" }, options?: RequestOptions): Listing<Price>;
}

export interface DoNotCallOperations {
  add(body: AddDoNotCallBody, options?: RequestOptions): Promise<DoNotCallEntry>;
  list(query?: { page?: number; limit?: number; phoneNumber?: string }, options?: RequestOptions): Listing<DoNotCallEntry>;
  remove(phoneNumber: string, options?: RequestOptions): Promise<DoNotCallEntry>;
}

export interface KnowledgeOperations {
  add(id: string, body: AddDocumentBody, options?: RequestOptions): Promise<Document>;
  delete(id: string, documentId: string, options?: RequestOptions): Promise<Document>;
  get(id: string, documentId: string, options?: RequestOptions): Promise<Document>;
  list(id: string, query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<Document>;
  refresh(id: string, documentId: string, options?: RequestOptions): Promise<Document>;
  search(id: string, body: SearchDocumentsBody, options?: RequestOptions): Promise<Array<Passage>>;
  upload(id: string, body: UploadDocumentBody, options?: RequestOptions): Promise<Document>;
}

export interface ModelsOperations {
  download(name: string, options?: RequestOptions): Promise<Model>;
  get(name: string, query?: { kind?: "vad" | "stt" | "tts" | "llm" | "speech-to-speech" }, options?: RequestOptions): Promise<Model>;
  getKit(language: string, options?: RequestOptions): Promise<ModelKit>;
  getSettings(options?: RequestOptions): Promise<GetModelSettingsResult>;
  list(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<Model>;
  testSettings(kind: "llm" | "stt" | "tts" | "speech-to-speech", body?: TestModelSettingsBody, options?: RequestOptions): Promise<ModelTestResult>;
  updateSettings(kind: "llm" | "stt" | "tts" | "speech-to-speech", body?: UpdateModelSettingsBody, options?: RequestOptions): Promise<ModelSettings>;
}

export interface PhoneNumbersOperations {
  get(id: string, options?: RequestOptions): Promise<PhoneNumber>;
  list(query?: { campaignId?: string; page?: number; limit?: number }, options?: RequestOptions): Listing<PhoneNumber>;
  purchase(body: PurchaseNumberBody, options?: RequestOptions): Promise<PhoneNumber>;
  release(id: string, options?: RequestOptions): Promise<ReleasedNumber>;
  search(query?: { country?: string; areaCode?: string; type?: "local" | "mobile" | "toll_free"; capabilities?: string }, options?: RequestOptions): Promise<Array<NumberOffer>>;
  update(id: string, body?: UpdatePhoneNumberBody, options?: RequestOptions): Promise<PhoneNumber>;
}

export interface PortInOperations {
  cancel(id: string, options?: RequestOptions): Promise<PortOrder>;
  create(body: CreatePortOrderBody, options?: RequestOptions): Promise<PortOrder>;
  downloadPortDocument(id: string, documentId: string, options?: RequestOptions): Promise<Response>;
  get(id: string, options?: RequestOptions): Promise<PortOrder>;
  list(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<PortOrder>;
  listAll(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<AdminPortOrder>;
  move(id: string, body: MovePortOrderBody, options?: RequestOptions): Promise<AdminPortOrder>;
  uploadPortDocument(id: string, body: UploadPortDocumentBody, options?: RequestOptions): Promise<PortOrder>;
}

export interface ResultsOperations {
  cancelRerun(id: string, rerunId: string, options?: RequestOptions): Promise<Rerun>;
  getRerun(id: string, rerunId: string, options?: RequestOptions): Promise<Rerun>;
  listReruns(id: string, query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<Rerun>;
  startRerun(id: string, body?: StartRerunBody, options?: RequestOptions): Promise<Rerun>;
}

export interface TestsOperations {
  addCase(id: string, body: AddTestCaseBody, options?: RequestOptions): Promise<TestCase>;
  cancelRun(id: string, options?: RequestOptions): Promise<TestRun>;
  createSuite(body: CreateTestSuiteBody, options?: RequestOptions): Promise<TestSuite>;
  deleteCase(id: string, options?: RequestOptions): Promise<TestCase>;
  deleteSuite(id: string, options?: RequestOptions): Promise<TestSuite>;
  getCase(id: string, options?: RequestOptions): Promise<TestCase>;
  getRecording(id: string, options?: RequestOptions): Promise<Response>;
  getRun(id: string, options?: RequestOptions): Promise<TestRun>;
  getRunAsJunit(id: string, options?: RequestOptions): Promise<Response>;
  getSuite(id: string, options?: RequestOptions): Promise<TestSuite>;
  importTranscript(id: string, body: ImportTranscriptBody, options?: RequestOptions): Promise<TestImport>;
  keepCall(id: string, body: KeepCallAsTestBody, options?: RequestOptions): Promise<TestCase>;
  listCases(id: string, query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<TestCase>;
  listResults(id: string, query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<TestResult>;
  listRuns(query?: { page?: number; limit?: number; suiteId?: string }, options?: RequestOptions): Listing<TestRun>;
  listSuites(query?: { page?: number; limit?: number; agentId?: string; businessId?: string }, options?: RequestOptions): Listing<TestSuite>;
  startRun(id: string, body?: StartTestRunBody, options?: RequestOptions): Promise<TestRun>;
  updateCase(id: string, body?: UpdateTestCaseBody, options?: RequestOptions): Promise<TestCase>;
  updateSuite(id: string, body?: UpdateTestSuiteBody, options?: RequestOptions): Promise<TestSuite>;
}

export interface ToolsOperations {
  create(body: CreateToolBody, options?: RequestOptions): Promise<Tool>;
  delete(id: string, options?: RequestOptions): Promise<Tool>;
  discardDraft(id: string, options?: RequestOptions): Promise<Array<Discarded>>;
  get(id: string, options?: RequestOptions): Promise<Tool>;
  getDraft(id: string, options?: RequestOptions): Promise<Array<Draft>>;
  getVersion(id: string, number: string, query?: { against?: number }, options?: RequestOptions): Promise<VersionWithContent>;
  list(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<Tool>;
  listVersions(id: string, query?: { page?: number; limit?: number; calls?: boolean; campaignId?: string; tests?: boolean }, options?: RequestOptions): Listing<Version>;
  publish(id: string, options?: RequestOptions): Promise<Array<Published>>;
  refresh(id: string, options?: RequestOptions): Promise<Tool>;
  restoreVersion(id: string, number: string, options?: RequestOptions): Promise<Tool>;
  test(id: string, body?: TestToolBody, options?: RequestOptions): Promise<ToolTest>;
  update(id: string, body?: UpdateToolBody, options?: RequestOptions): Promise<Tool>;
}

export interface VoicesOperations {
  getPreview(id: string, options?: RequestOptions): Promise<Response>;
  list(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<Voice>;
}

export interface WebhooksOperations {
  create(body: CreateWebhookBody, options?: RequestOptions): Promise<Webhook>;
  delete(id: string, options?: RequestOptions): Promise<DeleteWebhookResult>;
  get(id: string, options?: RequestOptions): Promise<Webhook>;
  list(query?: { page?: number; limit?: number }, options?: RequestOptions): Listing<Webhook>;
  listDeliveries(id: string, query?: { page?: number; limit?: number; success?: boolean }, options?: RequestOptions): Listing<WebhookDelivery>;
  replayDelivery(id: string, deliveryId: string, options?: RequestOptions): Promise<WebhookDelivery>;
  rotateSecret(id: string, options?: RequestOptions): Promise<Webhook>;
  test(id: string, body: TestWebhookBody, options?: RequestOptions): Promise<WebhookDelivery>;
  update(id: string, body?: UpdateWebhookBody, options?: RequestOptions): Promise<Webhook>;
}

export interface WidgetOperations {
  beginCall(key: string, body?: BeginWidgetCallBody, options?: RequestOptions): Promise<WidgetCall>;
  createKey(body: CreateWidgetKeyBody, options?: RequestOptions): Promise<WidgetKey>;
  deleteKey(id: string, options?: RequestOptions): Promise<DeleteWidgetKeyResult>;
  getKey(id: string, options?: RequestOptions): Promise<WidgetKey>;
  listKeys(query?: { page?: number; limit?: number; campaignId?: string }, options?: RequestOptions): Listing<WidgetKey>;
  open(key: string, body?: OpenWidgetBody, options?: RequestOptions): Promise<WidgetFacts>;
  readMessages(key: string, body: ReadWidgetMessagesBody, options?: RequestOptions): Promise<WidgetThread>;
  rotateKey(id: string, body?: RotateWidgetKeyBody, options?: RequestOptions): Promise<WidgetKey>;
  updateKey(id: string, body?: UpdateWidgetKeyBody, options?: RequestOptions): Promise<WidgetKey>;
  writeMessage(key: string, body: WriteWidgetMessageBody, options?: RequestOptions): Promise<WidgetWritten>;
}

export interface OperationGroups {
  readonly account: AccountOperations;
  readonly administration: AdministrationOperations;
  readonly agents: AgentsOperations;
  readonly alerts: AlertsOperations;
  readonly appointments: AppointmentsOperations;
  readonly authentication: AuthenticationOperations;
  readonly billing: BillingOperations;
  readonly businesses: BusinessesOperations;
  readonly calendars: CalendarsOperations;
  readonly calls: CallsOperations;
  readonly campaigns: CampaignsOperations;
  readonly contacts: ContactsOperations;
  readonly conversations: ConversationsOperations;
  readonly costs: CostsOperations;
  readonly doNotCall: DoNotCallOperations;
  readonly knowledge: KnowledgeOperations;
  readonly models: ModelsOperations;
  readonly phoneNumbers: PhoneNumbersOperations;
  readonly portIn: PortInOperations;
  readonly results: ResultsOperations;
  readonly tests: TestsOperations;
  readonly tools: ToolsOperations;
  readonly voices: VoicesOperations;
  readonly webhooks: WebhooksOperations;
  readonly widget: WidgetOperations;
}
