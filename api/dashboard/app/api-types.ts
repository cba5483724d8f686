// Written by api/openapi-write.ts from the OpenAPI document: do not edit.
// biome-ignore-all format: generated

export type AcceptInviteBody = { token: string; password: string };

export type Account = { id: string; name: string; plan: "STARTER" | "PRO" | "ENTERPRISE"; timezone: string; defaultCampaignId: string | null; overageEnabled: boolean; destinations: Destinations; spendLimits: SpendLimits; spend: Spend; retentionDays: number | null; minutes: { used: number; limit: number | null; resetsAt: string }; createdAt: string };

export type AccountAnswer = { success: true; data: Account; warnings?: Array<string> };

export type AccountPage = { success: true; data: Array<Account>; pagination: Pagination };

export type AddContactsBody = { contacts: Array<{ phoneNumber: string; name?: string | null; email?: string | null; variables?: Record<string, string> | null; metadata?: Record<string, string> | null }> };

export type AddDoNotCallBody = { phoneNumber: string; reason?: string | null };

export type AddDocumentBody = { name: string; kind?: "text" | "markdown" | "html"; text?: string; url?: string; refreshHours?: number };

export type AddInventoryBody = { numbers?: Array<{ phoneNumber: string; type?: "local" | "mobile" | "toll_free"; capabilities?: Array<"voice" | "sms">; monthlyCost?: number }>; from?: string; to?: string; type?: "local" | "mobile" | "toll_free"; capabilities?: Array<"voice" | "sms">; monthlyCost?: number; trunkId?: string | null };

export type AddedContacts = { added: number; merged: number; contacts: Array<{ id: string; phoneNumber: string; merged: boolean }> };

export type AddedContactsAnswer = { success: true; data: AddedContacts; warnings?: Array<string> };

export type AddedNumbers = { added: number; numbers: Array<InventoryNumber> };

export type AddedNumbersAnswer = { success: true; data: AddedNumbers; warnings?: Array<string> };

export type AdminPortOrder = { id: string; phoneNumber: string; loaSignedAt: string; accountHolder: string; status: "DRAFT" | "SUBMITTED" | "IN_REVIEW" | "FOC_SCHEDULED" | "COMPLETED" | "REJECTED" | "CANCELLED"; statusHistory: Array<{ status: "DRAFT" | "SUBMITTED" | "IN_REVIEW" | "FOC_SCHEDULED" | "COMPLETED" | "REJECTED" | "CANCELLED"; at: string; reason?: string }>; focDate: string | null; documents: Array<{ id: string; kind: "loa" | "bill"; fileName: string; contentType: string; bytes: number; createdAt: string }>; createdAt: string; accountId: string };

export type AdminPortOrderAnswer = { success: true; data: AdminPortOrder; warnings?: Array<string> };

export type AdminPortOrderPage = { success: true; data: Array<AdminPortOrder>; pagination: Pagination };

export type Agent = { id: string; name: string; description: string | null; voiceId: string; language: string; primaryLanguage: string; additionalLanguages: Array<string>; languages: Array<LanguageSettings>; conversation: ConversationSettings; toolIds: Array<string>; isActive: boolean; createdAt: string; deletedAt: string | null; _count?: { calls: number; phoneNumbers: number } };

export type AgentAnswer = { success: true; data: Agent; warnings?: Array<string> };

export type AgentPage = { success: true; data: Array<Agent>; pagination: Pagination };

export type Appointment = { id: string; callId: string | null; businessId: string; service: string | null; startsAt: string; endsAt: string; name: string | null; phone: string | null; notes: string | null; status: "booked" | "cancelled" };

export type AppointmentAnswer = { success: true; data: Appointment; warnings?: Array<string> };

export type AppointmentPage = { success: true; data: Array<Appointment>; pagination: Pagination };

export type BillingAccount = { provider: "none" | "stripe"; hasCard: boolean; brand: string | null; last4: string | null };

export type BillingAccountAnswer = { success: true; data: BillingAccount; warnings?: Array<string> };

export type Business = { id: string; name: string; industry: string | null; description: string | null; timezone: string; address: string | null; phone: string | null; email: string | null; hours: Array<{ day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"; open: string; close: string }>; services: Array<{ name: string; duration: number | null; price: number | null }>; currency: string; faqs: Array<{ question: string; answer: string }>; policies: Array<unknown>; systemPrompt: string | null; greetingTemplate: string | null; fallbackMessage: string | null; dialogueFallback: "receptionist" | "message" | null; transferNumber: string | null; destinations: Array<TransferDestination>; voiceSettings: { speed: number }; interruptionSensitivity: number; maxCallDurationMinutes: number; silenceThresholdMs: number; businessContext: Record<string, unknown> | null; toolIds: Array<string>; outputs: Array<{ name: string; schema: Record<string, unknown>; description: string }>; criteria: Array<{ name: string; question: string }>; redaction: Redaction | null; lookup: { url: string; timeoutMs: number; headerNames: Array<string> } | null; createdAt: string; deletedAt: string | null };

export type BusinessAnswer = { success: true; data: Business; warnings?: Array<string> };

export type BusinessAuditEntry = { id: string; actor: string; action: string; changes: Record<string, { from?: unknown; to?: unknown }>; createdAt: string };

export type BusinessAuditEntryPage = { success: true; data: Array<BusinessAuditEntry>; pagination: Pagination };

export type BusinessPage = { success: true; data: Array<Business>; pagination: Pagination };

export type Call = { id: string; businessId: string; campaignId: string; agentId: string; phoneNumberId: string | null; direction: "inbound" | "outbound"; fromNumber: string; toNumber: string; forwardedFrom: string | null; callerName: string | null; variables: Record<string, string>; metadata: Record<string, string>; status: "RINGING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "VOICEMAIL" | "SCHEDULED"; outcome: string | null; endReason: string | null; startedAt: string; endedAt: string | null; durationSeconds: number; sentiment: "positive" | "neutral" | "negative" | null; summary: string | null; tags: Array<string>; transcript: Array<TranscriptEntry>; latency: { turns: number; p50Ms: number; p95Ms: number; yields?: { count: number; p50Ms: number; p95Ms: number }; timeline?: Array<{ speechEndAtMs: number; recognisedAtMs: number | null; askedAtMs: number | null; turnEndAtMs: number | null; firstTokenAtMs: number | null; firstClauseAtMs: number | null; firstAudioAtMs: number | null; firstPacketAtMs: number; guessed: boolean; gapMs: number; measuredOn: "line" | "recording"; unrecordedMs: number }>; bargeIns?: Array<{ onsetAtMs: number; yieldingAtMs: number; silentAtMs: number; yieldMs: number; measuredOn: "line" | "recording"; unrecordedMs: number }> } | null; toolCalls?: Array<{ startedAtMs: number; tookMs: number; name: string; arguments: unknown; result: unknown; outcome: "done" | "refused" | "late" | "unanswered" }>; sources?: Array<{ atMs: number; documentId: string; name: string; heading: string; passage: string }>; transfers?: Array<TransferTry>; languageChanges?: Array<LanguageChange>; resumptions?: Array<Resumption>; scheduled?: { at: string; by: "api" | "agent"; inCallId: string | null; reason: string | null; problem: string | null }; usage: { promptTokens: number | null; cachedTokens: number | null; completionTokens: number | null; requests: number; fallbackRequests: number; discardedRequests: number; discardedTokens: number | null } | null; waits: { count: number; longestMs: number } | null; languages: Array<string>; fallbacks: Array<{ model: "stt" | "tts" | "llm" | "speech-to-speech"; from: string; to: string; count: number; reason?: string }>; analysis: { data: Record<string, unknown>; reasons: Record<string, string>; criteria: Record<string, boolean | null>; by: "model" | "receptionist"; analysedAt: string } | null; score: number | null; disposition: string | null; sipStatus: number | null; q850Cause: number | null; appointments: Array<Appointment>; erasedAt: string | null };

export type CallAnswer = { success: true; data: Call; warnings?: Array<string> };

export type CallControl = { kind: "say" | "instruct" | "mute" | "unmute" | "digits" | "collect-digits" | "transfer" | "recording" | "take-over" | "hand-back"; callId: string; state: "done" | "ringing" };

export type CallControlAnswer = { success: true; data: CallControl; warnings?: Array<string> };

export type CallEvent = { id: string; type: string; createdAt: string; deliveries: Array<{ id: string; webhookId: string; url: string; attempt: number; success: boolean; statusCode: number | null; error: string | null; at: string; nextRetryAt: string | null }> };

export type CallEventPage = { success: true; data: Array<CallEvent>; pagination: Pagination };

export type CallPage = { success: true; data: Array<Call>; pagination: Pagination };

export type Campaign = { id: string; name: string; description: string | null; agentId: string; businessId: string; phoneNumberIds: Array<string>; status: "DRAFT" | "SCHEDULED" | "RUNNING" | "PAUSED" | "COMPLETED" | "FAILED"; scheduledAt: string | null; callingWindow: { timezone?: string | null; days: Array<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday">; start: string; end: string }; maxConcurrentCalls: number; maxAttempts: number; retryDelayMinutes: number; greetingTemplate: string | null; instructions: string | null; voicemail: { action: "hangup" | "leave_message"; message: string | null }; recording: { enabled: boolean; format: "wav" | "mp3" }; destinations: Array<TransferDestination>; listeningNotice: "none" | "tone" | "announcement"; toolIds: Array<string>; outputs: Array<{ name: string; schema: Record<string, unknown>; description: string }>; criteria: Array<{ name: string; question: string }>; _count: { contacts: number; calls: number }; startedAt: string | null; completedAt: string | null; createdAt: string; deletedAt: string | null };

export type CampaignAnswer = { success: true; data: Campaign; warnings?: Array<string> };

export type CampaignDetails = { id: string; name: string; description: string | null; agentId: string; businessId: string; phoneNumberIds: Array<string>; status: "DRAFT" | "SCHEDULED" | "RUNNING" | "PAUSED" | "COMPLETED" | "FAILED"; scheduledAt: string | null; callingWindow: { timezone?: string | null; days: Array<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday">; start: string; end: string }; maxConcurrentCalls: number; maxAttempts: number; retryDelayMinutes: number; greetingTemplate: string | null; instructions: string | null; voicemail: { action: "hangup" | "leave_message"; message: string | null }; recording: { enabled: boolean; format: "wav" | "mp3" }; destinations: Array<TransferDestination>; listeningNotice: "none" | "tone" | "announcement"; toolIds: Array<string>; outputs: Array<{ name: string; schema: Record<string, unknown>; description: string }>; criteria: Array<{ name: string; question: string }>; _count: { contacts: number; calls: number }; startedAt: string | null; completedAt: string | null; createdAt: string; deletedAt: string | null; preflight?: { willCall: number; willSkip: Record<string, number> } };

export type CampaignDetailsAnswer = { success: true; data: CampaignDetails; warnings?: Array<string> };

export type CampaignPage = { success: true; data: Array<Campaign>; pagination: Pagination };

export type CampaignPreview = { greeting: string; voicemailMessage: string | null; instructions: string | null; prompt: string; missing: Array<string> };

export type CampaignPreviewAnswer = { success: true; data: CampaignPreview; warnings?: Array<string> };

export type CampaignStats = { totalContacts: number; completedCalls: number; successfulCalls: number; failedCalls: number; voicemails: number; averageCallDuration: number; totalMinutes: number };

export type CampaignStatsAnswer = { success: true; data: CampaignStats; warnings?: Array<string> };

export type ChangePasswordBody = { currentPassword: string; newPassword: string };

export type Charge = { id: string; kind: "number" | "overage"; phoneNumber: string | null; amount: number; currency: string; status: "recorded" | "pending" | "paid" | "refunded" | "failed"; createdAt: string };

export type ChargePage = { success: true; data: Array<Charge>; pagination: Pagination };

export type Contact = { id: string; phoneNumber: string; name: string | null; email: string | null; status: "PENDING" | "CALLING" | "COMPLETED" | "FAILED" | "VOICEMAIL" | "DO_NOT_CALL"; attempts: number; lastCallId: string | null; nextAttemptAt: string | null; variables: Record<string, string>; metadata: Record<string, string>; createdAt: string };

export type ContactAnswer = { success: true; data: Contact; warnings?: Array<string> };

export type ContactPage = { success: true; data: Array<Contact>; pagination: Pagination };

export type ControlCallBody = { kind: "say" | "instruct" | "mute" | "unmute" | "digits" | "collect-digits" | "transfer" | "recording" | "take-over" | "hand-back"; text?: string; when?: "now" | "pause"; digits?: string; minDigits?: number; maxDigits?: number; isCard?: boolean; to?: string; recording?: "mask" | "unmask"; by?: string; listenerId?: string };

export type ConversationSettings = { firstSpeaker?: "auto" | "agent" | "caller"; responsiveness?: number; interruptionSensitivity?: number; backchannelWords?: Array<string>; keywords?: Array<string>; pronunciations?: Array<{ text: string; say: string }>; reminderSeconds?: number; reminders?: number; protectGreeting?: boolean; lineLostWords?: string; model?: string; temperature?: number; modelTimeoutMs?: number; guessing?: boolean; speechToSpeech?: boolean; speechModel?: string; speechVoice?: string };

export type CreateAccessTokenBody = { name: string };

export type CreateAgentBody = { name: string; voiceId: string; description?: string | null; language?: string; additionalLanguages?: Array<string>; languages?: Array<LanguageSettings>; conversation?: ConversationSettings; toolIds?: Array<string>; isActive?: boolean };

export type CreateBusinessBody = { name: string; industry: string; description?: string | null; timezone: string; address?: string | null; phone?: string | null; email?: string | null; hours?: Array<{ day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"; open: string; close: string }>; services?: Array<{ name: string; duration?: number | null; price?: number | null }>; currency?: string; faqs?: Array<{ question: string; answer: string }>; policies?: Array<string | Record<string, unknown>>; systemPrompt?: string | null; greetingTemplate?: string | null; fallbackMessage?: string | null; dialogueFallback?: "receptionist" | "message" | null; transferNumber?: string | null; destinations?: Array<{ name: string; description?: string; target: string; hours?: Array<{ day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"; open: string; close: string }> | null; extensionDigits?: string | null; mode?: "blind" | "announce" | "brief"; accept?: "key" | "voice" | "none"; after?: "leave" | "stay"; ringSeconds?: number; order?: number }>; voiceSettings?: { speed: number }; interruptionSensitivity?: number; maxCallDurationMinutes?: number; silenceThresholdMs?: number | null; businessContext?: Record<string, unknown> | null; toolIds?: Array<string>; outputs?: Array<{ name: string; schema: Record<string, unknown>; description: string }>; criteria?: Array<{ name: string; question: string }>; redaction?: { kinds: Array<"card" | "iban" | "ssn" | "phone" | "email" | "name">; transcript?: boolean; webhooks?: boolean; audio?: boolean } | null; lookup?: { url: string; headers?: Record<string, string> | null; timeoutMs?: number; headerNames?: Array<string> } | null };

export type CreateCampaignBody = { name: string; description?: string | null; agentId: string; businessId: string; phoneNumberIds?: Array<string>; scheduledAt?: string | null; callingWindow?: { timezone?: string | null; days: Array<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday">; start: string; end: string } | null; maxConcurrentCalls?: number; maxAttempts?: number; retryDelayMinutes?: number; greetingTemplate?: string | null; instructions?: string | null; voicemail?: { action?: "hangup" | "leave_message"; message?: string | null }; recording?: { enabled?: boolean; format?: "wav" | "mp3" }; destinations?: Array<{ name: string; description?: string; target: string; hours?: Array<{ day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"; open: string; close: string }> | null; extensionDigits?: string | null; mode?: "blind" | "announce" | "brief"; accept?: "key" | "voice" | "none"; after?: "leave" | "stay"; ringSeconds?: number; order?: number }>; listeningNotice?: "none" | "tone" | "announcement"; toolIds?: Array<string>; outputs?: Array<{ name: string; schema: Record<string, unknown>; description: string }>; criteria?: Array<{ name: string; question: string }>; status?: "DRAFT" | "SCHEDULED" };

export type CreatePortOrderBody = { phoneNumber: string; loaSignedAt: string; accountHolder: string };

export type CreateSipAccountBody = { username: string; displayName?: string | null; password?: string; callsTo?: string | null; enabled?: boolean };

export type CreateToolBody = { name: string; description: string; url: string; headers?: Record<string, string> | null; kind?: "http" | "mcp"; method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"; parameters?: Record<string, unknown>; timeoutMs?: number; sayWhile?: string | null; mode?: "wait" | "background"; assign?: Record<string, string>; when?: Array<string>; only?: Array<string> | null; onInterruption?: "finish" | "cancel" };

export type CreateTrunkBody = { name: string; host: string; port?: number; transport?: "udp" | "tcp" | "tls"; username?: string | null; password?: string | null; register?: boolean; inboundAllow?: Array<string>; codecs?: Array<"PCMU" | "PCMA" | "G722" | "OPUS">; maxConcurrentCalls?: number; callsPerSecond?: number; authUsername?: string | null; fromDomain?: string | null; outboundProxy?: string | null; country?: string | null; dialFormat?: "e164" | "00" | "national"; dialPrefix?: string | null; callerIdHeader?: "from" | "pai" | "both"; srtp?: boolean; optionsPing?: boolean; backupTrunkId?: string | null; destinations?: { countries?: Array<string>; prefixes?: { allow?: Array<string>; deny?: Array<string> }; types?: Array<"fixed_line" | "mobile" | "fixed_line_or_mobile" | "toll_free" | "voip" | "uan" | "pager" | "voicemail" | "premium_rate" | "shared_cost" | "personal_number" | "satellite" | "unknown"> } | null };

export type CreateWebhookBody = { url: string; events: Array<"call.started" | "call.received" | "call.ended" | "call.failed" | "call.voicemail" | "call.transferred" | "call.language_changed" | "call.resumed" | "call.analysed" | "appointment.scheduled" | "contact.opted_out" | "campaign.completed" | "port-order.status_changed" | "account.spend_limit"> };

export type DeleteWebhookAnswer = { success: true; data: DeleteWebhookResult; warnings?: Array<string> };

export type DeleteWebhookResult = { id: string };

export type Destinations = { countries: Array<string>; prefixes: { allow: Array<string>; deny: Array<string> }; types: Array<"fixed_line" | "mobile" | "fixed_line_or_mobile" | "toll_free" | "voip" | "uan" | "pager" | "voicemail" | "premium_rate" | "shared_cost" | "personal_number" | "satellite" | "unknown"> };

export type DisableSecondFactorBody = { password: string; code: string };

export type DoNotCallEntry = { id: string; phoneNumber: string; reason: string | null; source: "api" | "call" | "digits"; createdAt: string };

export type DoNotCallEntryAnswer = { success: true; data: DoNotCallEntry; warnings?: Array<string> };

export type DoNotCallEntryPage = { success: true; data: Array<DoNotCallEntry>; pagination: Pagination };

export type Document = { id: string; businessId: string; name: string; kind: "text" | "markdown" | "html" | "pdf" | "docx"; characters: number; passages: number; createdAt: string; sourceUrl: string | null; refreshHours: number | null; readAt: string | null; error: string | null; embedding: "off" | "waiting" | "done"; embeddingError: string | null };

export type DocumentAnswer = { success: true; data: Document; warnings?: Array<string> };

export type DocumentPage = { success: true; data: Array<Document>; pagination: Pagination };

export type EnableSecondFactorBody = { code: string };

export type EndedSessions = { ended: number };

export type EndedSessionsAnswer = { success: true; data: EndedSessions; warnings?: Array<string> };

export type ExtractFromUrlAnswer = { success: true; data: ExtractFromUrlResult; warnings?: Array<string> };

export type ExtractFromUrlBody = { url: string; apply?: boolean };

export type ExtractFromUrlResult = { extracted: { name?: string; description?: string; address?: string; phone?: string; email?: string; hours?: Array<{ day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"; open: string; close: string }>; services?: Array<{ name: string; duration: number | null; price: number | null }>; faqs?: Array<{ question: string; answer: string }> }; business: Business };

export type FallbackTestResult = { engine: string; error: string | null; firstMs: number | null; totalMs: number | null; text: string | null; audioBytes: number | null };

export type FixedSetting = { field: "engine" | "baseUrl" | "model" | "apiKey" | "voices" | "voice" | "fallbackBaseUrl" | "fallbackModel" | "fallbackApiKey"; variable: string };

export type ForgotPasswordBody = { email: string };

export type GenerateFaqsAnswer = { success: true; data: GenerateFaqsResult; warnings?: Array<string> };

export type GenerateFaqsBody = { apply?: boolean };

export type GenerateFaqsResult = { faqs: Array<{ question: string; answer: string }>; business: Business };

export type GenerateServicesAnswer = { success: true; data: GenerateServicesResult; warnings?: Array<string> };

export type GenerateServicesBody = { apply?: boolean };

export type GenerateServicesResult = { services: Array<{ name: string; duration: number | null; price: number | null }>; business: Business };

export type GetModelSettingsAnswer = { success: true; data: GetModelSettingsResult; warnings?: Array<string> };

export type GetModelSettingsResult = { llm: ModelSettings; stt: ModelSettings; tts: ModelSettings; "speech-to-speech": ModelSettings };

export type HoldMusic = { isOwn: boolean; durationMs: number | null; updatedAt: string | null };

export type HoldMusicAnswer = { success: true; data: HoldMusic; warnings?: Array<string> };

export type InventoryNumber = { phoneNumber: string; country: string; areaCode: string | null; type: "local" | "mobile" | "toll_free"; capabilities: Array<string>; monthlyCost: number; trunkId: string | null; status: "free" | "reserved" | "owned" | "retired"; accountId: string | null; reservedUntil: string | null; createdAt: string };

export type InventoryNumberAnswer = { success: true; data: InventoryNumber; warnings?: Array<string> };

export type InventoryNumberPage = { success: true; data: Array<InventoryNumber>; pagination: Pagination };

export type InviteUserBody = { email: string };

export type LanguageChange = { atMs: number; from: string; to: string; by: "wish" | "key" | "detected"; outcome: "changed" | "no_voice" | "no_recogniser" };

export type LanguageSettings = { language: string; voiceId?: string; speechVoice?: string; digit?: string; keywords?: Array<string> };

export type Listening = { id: string; socketUrl: string; token: string; expiresAt: string };

export type ListeningAnswer = { success: true; data: Listening; warnings?: Array<string> };

export type LoginBody = { email: string; password: string };

export type LoginResult = { user?: User; token?: string; refreshToken?: string; requires2FA?: boolean; pendingToken?: string };

export type LoginResultAnswer = { success: true; data: LoginResult; warnings?: Array<string> };

export type Message = { message: string };

export type MessageAnswer = { success: true; data: Message; warnings?: Array<string> };

export type Model = { name: string; kind: "vad" | "stt" | "tts" | "llm" | "speech-to-speech"; description: string; licence: string; state: "installed" | "downloadable" | "package-missing" | "unconfigured"; languages: Array<string> | null; realTimeFactor: number; concurrency: number | null; memoryMb: number; download: { name: string; bytes: number; installed: boolean; licence: string } | null; progress: { state: "waiting" | "running" | "done" | "failed"; error: string | null; bytes: number | null; totalBytes: number | null } | null };

export type ModelAnswer = { success: true; data: Model; warnings?: Array<string> };

export type ModelPage = { success: true; data: Array<Model>; pagination: Pagination };

export type ModelSettings = { kind: "llm" | "stt" | "tts" | "speech-to-speech"; revision: number; changedAt: string | null; engine: string | null; baseUrl: string | null; model: string | null; apiKey: StoredKey | null; voices: string | null; voice: string | null; fallbackBaseUrl: string | null; fallbackModel: string | null; fallbackApiKey: StoredKey | null; fixed: Array<FixedSetting>; running: string | null; state: "in-use" | "waiting" | "failed"; error: string | null };

export type ModelSettingsAnswer = { success: true; data: ModelSettings; warnings?: Array<string> };

export type ModelTestResult = { engine: string; error: string | null; firstMs: number | null; totalMs: number | null; text: string | null; audioBytes: number | null; fallback: FallbackTestResult | null };

export type ModelTestResultAnswer = { success: true; data: ModelTestResult; warnings?: Array<string> };

export type MovePortOrderBody = { status: "DRAFT" | "SUBMITTED" | "IN_REVIEW" | "FOC_SCHEDULED" | "COMPLETED" | "REJECTED" | "CANCELLED"; reason?: string; focDate?: string };

export type NewPersonalToken = { id: string; name: string; role: "USER" | "ADMIN"; lastUsedAt: string | null; createdAt: string; token: string };

export type NewPersonalTokenAnswer = { success: true; data: NewPersonalToken; warnings?: Array<string> };

export type NewSipAccount = { id: string; accountId: string; username: string; displayName: string | null; callsTo: string | null; enabled: boolean; registration: { contact: string; transport: "udp" | "tcp" | "tls"; address: string; port: number; userAgent: string | null; since: string; expiresAt: string } | null; createdAt: string; deletedAt: string | null; password: string };

export type NewSipAccountAnswer = { success: true; data: NewSipAccount; warnings?: Array<string> };

export type NumberOffer = { phoneNumber: string; country: string; areaCode: string | null; type: "local" | "mobile" | "toll_free"; capabilities: Array<string>; monthlyCost: number; reservedUntil: string };

export type NumberOfferList = { success: true; data: Array<NumberOffer>; warnings?: Array<string> };

export type NumberRoute = { forwardedFrom: string | null; hours: Array<{ day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"; open: string; close: string }> | null; timezone: string | null; campaignId: string | null; target: string | null };

export type Overview = { live: number; maxCalls: number | null; calls: number; inbound: number; outbound: number; running: number; completed: number; failed: number; voicemails: number; answered: number; answerRate: number | null; minutes: number; responseGap: { calls: number; p50Ms: number; p95Ms: number; p99Ms: number } | null; lastHour: { turns: number; failed: number; share: number | null }; failures: Array<{ reason: string; calls: number }>; days: Array<{ day: string; calls: number; inbound: number; outbound: number; running: number; completed: number; failed: number; voicemails: number; answered: number; answerRate: number | null; minutes: number; responseGap: { calls: number; p50Ms: number; p95Ms: number; p99Ms: number } | null }> };

export type OverviewAnswer = { success: true; data: Overview; warnings?: Array<string> };

export type OwnSession = { id: string; isCurrent: boolean; userAgent: string | null; address: string | null; signedInAt: string | null; lastUsedAt: string; expiresAt: string };

export type OwnSessionAnswer = { success: true; data: OwnSession; warnings?: Array<string> };

export type OwnSessionPage = { success: true; data: Array<OwnSession>; pagination: Pagination };

export type Pagination = { page: number; limit: number; total: number; totalPages: number; hasNext: boolean; hasPrev: boolean };

export type Passage = { documentId: string; name: string; heading: string; passage: string };

export type PassageList = { success: true; data: Array<Passage>; warnings?: Array<string> };

export type PersonalToken = { id: string; name: string; role: "USER" | "ADMIN"; lastUsedAt: string | null; createdAt: string };

export type PersonalTokenAnswer = { success: true; data: PersonalToken; warnings?: Array<string> };

export type PersonalTokenPage = { success: true; data: Array<PersonalToken>; pagination: Pagination };

export type PhoneNumber = { id: string; phoneNumber: string; country: string | null; type: "local" | "mobile" | "toll_free"; capabilities: Array<string>; campaignId: string | null; isActive: boolean; trunkId: string | null; routes: Array<NumberRoute>; createdAt: string };

export type PhoneNumberAnswer = { success: true; data: PhoneNumber; warnings?: Array<string> };

export type PhoneNumberPage = { success: true; data: Array<PhoneNumber>; pagination: Pagination };

export type PlaceCallBody = { campaignId: string; toNumber: string; fromPhoneNumberId: string; variables?: Record<string, string> | null; metadata?: Record<string, string> | null; scheduledAt?: string };

export type PlaceWebCallBody = { campaignId: string; variables?: Record<string, string> | null; metadata?: Record<string, string> | null };

export type PortOrder = { id: string; phoneNumber: string; loaSignedAt: string; accountHolder: string; status: "DRAFT" | "SUBMITTED" | "IN_REVIEW" | "FOC_SCHEDULED" | "COMPLETED" | "REJECTED" | "CANCELLED"; statusHistory: Array<{ status: "DRAFT" | "SUBMITTED" | "IN_REVIEW" | "FOC_SCHEDULED" | "COMPLETED" | "REJECTED" | "CANCELLED"; at: string; reason?: string }>; focDate: string | null; documents: Array<{ id: string; kind: "loa" | "bill"; fileName: string; contentType: string; bytes: number; createdAt: string }>; createdAt: string };

export type PortOrderAnswer = { success: true; data: PortOrder; warnings?: Array<string> };

export type PortOrderPage = { success: true; data: Array<PortOrder>; pagination: Pagination };

export type PreviewCampaignBody = { variables?: Record<string, string> | null; callerName?: string | null; direction?: "inbound" | "outbound" };

export type PurchaseNumberBody = { phoneNumber: string; campaignId?: string | null };

export type RecoveryCodes = { recoveryCodes: Array<string> };

export type RecoveryCodesAnswer = { success: true; data: RecoveryCodes; warnings?: Array<string> };

export type Redaction = { kinds: Array<"card" | "iban" | "ssn" | "phone" | "email" | "name">; transcript: boolean; webhooks: boolean; audio: boolean };

export type RefreshSessionBody = { refreshToken: string };

export type RefusedCall = { id: string; calledNumber: string; callerNumber: string; sourceAddress: string; trunkId: string | null; sipStatus: number; reason: string; count: number; createdAt: string };

export type RefusedCallPage = { success: true; data: Array<RefusedCall>; pagination: Pagination };

export type RegisterBody = { email: string; password: string; accountName?: string };

export type RegisterResult = { user: User };

export type RegisterResultAnswer = { success: true; data: RegisterResult; warnings?: Array<string> };

export type ReleasedNumber = { id: string; phoneNumber: string; status: "released" | "releasing" };

export type ReleasedNumberAnswer = { success: true; data: ReleasedNumber; warnings?: Array<string> };

export type Rerun = { id: string; businessId: string; campaignId: string | null; startDate: string | null; endDate: string | null; missingOnly: boolean; webhooks: boolean; status: "RUNNING" | "COMPLETED" | "CANCELLED" | "FAILED"; total: number; done: number; failed: number; failures: Array<{ callId: string; reason: string }>; error: string | null; createdAt: string; endedAt: string | null };

export type RerunAnswer = { success: true; data: Rerun; warnings?: Array<string> };

export type RerunPage = { success: true; data: Array<Rerun>; pagination: Pagination };

export type ResendVerificationBody = { email: string };

export type ResetPasswordBody = { email: string; code: string; newPassword: string };

export type Resumption = { atMs: number; gapMs: number; cause: "crash" | "upgrade" | "moved" };

export type SearchDocumentsBody = { question: string };

export type SecondFactorSetup = { secret: string; otpauthUrl: string };

export type SecondFactorSetupAnswer = { success: true; data: SecondFactorSetup; warnings?: Array<string> };

export type Session = { user: User; token: string; refreshToken: string };

export type SessionAnswer = { success: true; data: Session; warnings?: Array<string> };

export type Settings = { destinations: Destinations; spendLimits: SpendLimits; callShare: number | null };

export type SettingsAnswer = { success: true; data: Settings; warnings?: Array<string> };

export type SetupPage = { url: string };

export type SetupPageAnswer = { success: true; data: SetupPage; warnings?: Array<string> };

export type SipAccount = { id: string; accountId: string; username: string; displayName: string | null; callsTo: string | null; enabled: boolean; registration: { contact: string; transport: "udp" | "tcp" | "tls"; address: string; port: number; userAgent: string | null; since: string; expiresAt: string } | null; createdAt: string; deletedAt: string | null };

export type SipAccountAnswer = { success: true; data: SipAccount; warnings?: Array<string> };

export type SipAccountPage = { success: true; data: Array<SipAccount>; pagination: Pagination };

export type Spend = { hour: { minutes: number; alarm: number | null; stop: number | null; resetsAt: string }; day: { minutes: number; alarm: number | null; stop: number | null; resetsAt: string } };

export type SpendLimits = { alarmMinutesPerHour: number | null; alarmMinutesPerDay: number | null; stopMinutesPerHour: number | null; stopMinutesPerDay: number | null };

export type StartRerunBody = { campaignId?: string; startDate?: string; endDate?: string; limit?: number; missingOnly?: boolean; webhooks?: boolean };

export type StartedCampaign = { id: string; name: string; description: string | null; agentId: string; businessId: string; phoneNumberIds: Array<string>; status: "DRAFT" | "SCHEDULED" | "RUNNING" | "PAUSED" | "COMPLETED" | "FAILED"; scheduledAt: string | null; callingWindow: { timezone?: string | null; days: Array<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday">; start: string; end: string }; maxConcurrentCalls: number; maxAttempts: number; retryDelayMinutes: number; greetingTemplate: string | null; instructions: string | null; voicemail: { action: "hangup" | "leave_message"; message: string | null }; recording: { enabled: boolean; format: "wav" | "mp3" }; destinations: Array<TransferDestination>; listeningNotice: "none" | "tone" | "announcement"; toolIds: Array<string>; outputs: Array<{ name: string; schema: Record<string, unknown>; description: string }>; criteria: Array<{ name: string; question: string }>; _count: { contacts: number; calls: number }; startedAt: string | null; completedAt: string | null; createdAt: string; deletedAt: string | null; preflight: { willCall: number; willSkip: Record<string, number> } };

export type StartedCampaignAnswer = { success: true; data: StartedCampaign; warnings?: Array<string> };

export type Status = { state: "ok" | "warning" | "failing"; checkedAt: string; lastHour: { turns: number; failed: number; share: number | null }; calls: { now: number; max: number; limit: { reason: "set" | "measured" | "assumed"; message: string; carries: number; cores: number; stt: { engine: string; factor: number; source: "measured" | "assumed" | "elsewhere" }; tts: { engine: string; factor: number; source: "measured" | "assumed" | "elsewhere" } } | null } | null; checks: Array<{ name: "engine" | "database" | "disk" | "files" | "clock" | "trunk" | "model" | "turns" | "webhooks" | "mails" | "campaign" | "spend"; subject: string | null; state: "ok" | "warning" | "failing"; message: string | null; remedy: string | null }> };

export type StatusAnswer = { success: true; data: Status; warnings?: Array<string> };

export type StoredKey = { end: string | null };

export type TestModelSettingsBody = { engine?: string | null; baseUrl?: string | null; model?: string | null; apiKey?: string | null; voices?: string | null; voice?: string | null; fallbackBaseUrl?: string | null; fallbackModel?: string | null; fallbackApiKey?: string | null };

export type TestToolBody = { arguments?: Record<string, unknown>; tool?: string; variables?: Record<string, string> };

export type TestWebhookBody = { event: "call.started" | "call.received" | "call.ended" | "call.failed" | "call.voicemail" | "call.transferred" | "call.language_changed" | "call.resumed" | "call.analysed" | "appointment.scheduled" | "contact.opted_out" | "campaign.completed" | "port-order.status_changed" | "account.spend_limit" };

export type TokenPair = { token: string; refreshToken: string };

export type TokenPairAnswer = { success: true; data: TokenPair; warnings?: Array<string> };

export type Tool = { id: string; name: string; description: string; kind: "http" | "mcp"; url: string; method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"; headerNames: Array<string>; parameters: Record<string, unknown>; timeoutMs: number; sayWhile: string | null; mode: "wait" | "background"; assign: Record<string, string>; when: Array<string>; onInterruption: "finish" | "cancel"; only: Array<string> | null; catalogue: Array<{ name: string; description: string; parameters: Record<string, unknown> }> | null; catalogueAt: string | null; catalogueError: string | null; createdAt: string };

export type ToolAnswer = { success: true; data: Tool; warnings?: Array<string> };

export type ToolPage = { success: true; data: Array<Tool>; pagination: Pagination };

export type ToolTest = { request: { method?: string; url?: string; headers?: Record<string, string>; body?: string | null } | null; answer: { status?: number; body?: unknown; isCut?: boolean } | null; tookMs: number; result: unknown; assigned: Record<string, string> };

export type ToolTestAnswer = { success: true; data: ToolTest; warnings?: Array<string> };

export type TranscriptEntry = { speaker: "agent" | "caller" | "person"; text: string; timestamp: number; line?: "person" };

export type TranscriptEntryList = { success: true; data: Array<TranscriptEntry>; warnings?: Array<string> };

export type TransferDestination = { name: string; description: string; target: string; hours: Array<{ day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"; open: string; close: string }> | null; extensionDigits: string | null; mode: "blind" | "announce" | "brief"; accept: "key" | "voice" | "none"; after: "leave" | "stay"; ringSeconds: number; order: number };

export type TransferTry = { destination: string; mode: "blind" | "announce" | "brief"; startedAtMs: number; tookMs: number; answeredAtMs: number | null; result: "accepted" | "declined" | "busy" | "no_answer" | "machine" | "hung_up" | "silent" | "failed" | "withdrawn" };

export type Trunk = { id: string; name: string; host: string; port: number; transport: "udp" | "tcp" | "tls"; username: string | null; register: boolean; inboundAllow: Array<string>; codecs: Array<string>; maxConcurrentCalls: number; callsPerSecond: number; authUsername: string | null; fromDomain: string | null; outboundProxy: string | null; country: string | null; dialFormat: "e164" | "00" | "national"; dialPrefix: string | null; callerIdHeader: "from" | "pai" | "both"; srtp: boolean; optionsPing: boolean; backupTrunkId: string | null; destinations: Destinations; registration: { state: "off" | "registering" | "registered" | "failed"; expiresAt: string | null }; health: { state: "unknown" | "up" | "down"; checkedAt: string | null }; lastError: string | null; lastErrorAt: string | null; activeCalls: number; createdAt: string; deletedAt: string | null };

export type TrunkAnswer = { success: true; data: Trunk; warnings?: Array<string> };

export type TrunkPage = { success: true; data: Array<Trunk>; pagination: Pagination };

export type UpdateAccountBody = { name?: string; timezone?: string; defaultCampaignId?: string | null; retentionDays?: number | null };

export type UpdateAgentBody = { name?: string; description?: string | null; voiceId?: string; language?: string; additionalLanguages?: Array<string>; languages?: Array<LanguageSettings>; conversation?: ConversationSettings; toolIds?: Array<string>; isActive?: boolean };

export type UpdateAnyAccountBody = { plan?: "STARTER" | "PRO" | "ENTERPRISE"; overageEnabled?: boolean; destinations?: { countries?: Array<string>; prefixes?: { allow?: Array<string>; deny?: Array<string> }; types?: Array<"fixed_line" | "mobile" | "fixed_line_or_mobile" | "toll_free" | "voip" | "uan" | "pager" | "voicemail" | "premium_rate" | "shared_cost" | "personal_number" | "satellite" | "unknown"> } | null; spendLimits?: { alarmMinutesPerHour?: number | null; alarmMinutesPerDay?: number | null; stopMinutesPerHour?: number | null; stopMinutesPerDay?: number | null } | null };

export type UpdateAppointmentBody = { startsAt?: string; status?: "booked" | "cancelled" };

export type UpdateBusinessBody = { name?: string; industry?: string | null; description?: string | null; timezone?: string; address?: string | null; phone?: string | null; email?: string | null; hours?: Array<{ day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"; open: string; close: string }>; services?: Array<{ name: string; duration?: number | null; price?: number | null }>; currency?: string; faqs?: Array<{ question: string; answer: string }>; policies?: Array<string | Record<string, unknown>>; systemPrompt?: string | null; greetingTemplate?: string | null; fallbackMessage?: string | null; dialogueFallback?: "receptionist" | "message" | null; transferNumber?: string | null; destinations?: Array<{ name: string; description?: string; target: string; hours?: Array<{ day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"; open: string; close: string }> | null; extensionDigits?: string | null; mode?: "blind" | "announce" | "brief"; accept?: "key" | "voice" | "none"; after?: "leave" | "stay"; ringSeconds?: number; order?: number }>; voiceSettings?: { speed: number }; interruptionSensitivity?: number; maxCallDurationMinutes?: number; silenceThresholdMs?: number | null; businessContext?: Record<string, unknown> | null; toolIds?: Array<string>; outputs?: Array<{ name: string; schema: Record<string, unknown>; description: string }>; criteria?: Array<{ name: string; question: string }>; redaction?: { kinds: Array<"card" | "iban" | "ssn" | "phone" | "email" | "name">; transcript?: boolean; webhooks?: boolean; audio?: boolean } | null; lookup?: { url: string; headers?: Record<string, string> | null; timeoutMs?: number; headerNames?: Array<string> } | null };

export type UpdateCampaignBody = { name?: string; description?: string | null; agentId?: string; businessId?: string; phoneNumberIds?: Array<string>; scheduledAt?: string | null; callingWindow?: { timezone?: string | null; days: Array<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday">; start: string; end: string } | null; maxConcurrentCalls?: number; maxAttempts?: number; retryDelayMinutes?: number; greetingTemplate?: string | null; instructions?: string | null; voicemail?: { action?: "hangup" | "leave_message"; message?: string | null }; recording?: { enabled?: boolean; format?: "wav" | "mp3" }; destinations?: Array<{ name: string; description?: string; target: string; hours?: Array<{ day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"; open: string; close: string }> | null; extensionDigits?: string | null; mode?: "blind" | "announce" | "brief"; accept?: "key" | "voice" | "none"; after?: "leave" | "stay"; ringSeconds?: number; order?: number }>; listeningNotice?: "none" | "tone" | "announcement"; toolIds?: Array<string>; outputs?: Array<{ name: string; schema: Record<string, unknown>; description: string }>; criteria?: Array<{ name: string; question: string }>; status?: "DRAFT" | "SCHEDULED" | "RUNNING" | "PAUSED" | "COMPLETED" | "FAILED" };

export type UpdateInventoryBody = { trunkId?: string | null; monthlyCost?: number };

export type UpdateModelSettingsBody = { engine?: string | null; baseUrl?: string | null; model?: string | null; apiKey?: string | null; voices?: string | null; voice?: string | null; fallbackBaseUrl?: string | null; fallbackModel?: string | null; fallbackApiKey?: string | null; revision?: number };

export type UpdatePhoneNumberBody = { campaignId?: string | null; isActive?: boolean; routes?: Array<{ forwardedFrom?: string | null; hours?: Array<{ day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"; open: string; close: string }> | null; timezone?: string | null; campaignId?: string | null; target?: string | null }> };

export type UpdateSettingsBody = { destinations?: { countries?: Array<string>; prefixes?: { allow?: Array<string>; deny?: Array<string> }; types?: Array<"fixed_line" | "mobile" | "fixed_line_or_mobile" | "toll_free" | "voip" | "uan" | "pager" | "voicemail" | "premium_rate" | "shared_cost" | "personal_number" | "satellite" | "unknown"> } | null; spendLimits?: { alarmMinutesPerHour?: number | null; alarmMinutesPerDay?: number | null; stopMinutesPerHour?: number | null; stopMinutesPerDay?: number | null } | null; callShare?: number | null };

export type UpdateSipAccountBody = { username?: string; displayName?: string | null; password?: string; callsTo?: string | null; enabled?: boolean };

export type UpdateToolBody = { name?: string; description?: string; kind?: "http" | "mcp"; url?: string; method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"; headers?: Record<string, string> | null; parameters?: Record<string, unknown>; timeoutMs?: number; sayWhile?: string | null; mode?: "wait" | "background"; assign?: Record<string, string>; when?: Array<string>; only?: Array<string> | null; onInterruption?: "finish" | "cancel"; setHeaders?: Record<string, string | null> };

export type UpdateTrunkBody = { name?: string; host?: string; port?: number; transport?: "udp" | "tcp" | "tls"; username?: string | null; password?: string | null; register?: boolean; inboundAllow?: Array<string>; codecs?: Array<"PCMU" | "PCMA" | "G722" | "OPUS">; maxConcurrentCalls?: number; callsPerSecond?: number; authUsername?: string | null; fromDomain?: string | null; outboundProxy?: string | null; country?: string | null; dialFormat?: "e164" | "00" | "national"; dialPrefix?: string | null; callerIdHeader?: "from" | "pai" | "both"; srtp?: boolean; optionsPing?: boolean; backupTrunkId?: string | null; destinations?: { countries?: Array<string>; prefixes?: { allow?: Array<string>; deny?: Array<string> }; types?: Array<"fixed_line" | "mobile" | "fixed_line_or_mobile" | "toll_free" | "voip" | "uan" | "pager" | "voicemail" | "premium_rate" | "shared_cost" | "personal_number" | "satellite" | "unknown"> } | null };

export type UpdateWebhookBody = { url?: string; events?: Array<"call.started" | "call.received" | "call.ended" | "call.failed" | "call.voicemail" | "call.transferred" | "call.language_changed" | "call.resumed" | "call.analysed" | "appointment.scheduled" | "contact.opted_out" | "campaign.completed" | "port-order.status_changed" | "account.spend_limit">; isActive?: boolean };

export type UploadDocumentBody = { file: Blob; name?: string };

export type UploadPortDocumentBody = { kind: "loa" | "bill"; file: Blob };

export type User = { id: string; email: string; role: "USER" | "ADMIN"; plan: "STARTER" | "PRO" | "ENTERPRISE"; accountId: string; emailVerified: boolean; twoFactorEnabled: boolean; createdAt: string };

export type UserAnswer = { success: true; data: User; warnings?: Array<string> };

export type UserPage = { success: true; data: Array<User>; pagination: Pagination };

export type VerifyEmailBody = { token: string };

export type VerifySecondFactorBody = { pendingToken: string; code: string };

export type Voice = { id: string; name: string; language: string; gender: "female" | "male" | "neutral"; engine: string; sampleRate: number; isDefault: boolean };

export type VoicePage = { success: true; data: Array<Voice>; pagination: Pagination };

export type WebCall = { call: Call; socketUrl: string };

export type WebCallAnswer = { success: true; data: WebCall; warnings?: Array<string> };

export type Webhook = { id: string; url: string; events: Array<"call.started" | "call.received" | "call.ended" | "call.failed" | "call.voicemail" | "call.transferred" | "call.language_changed" | "call.resumed" | "call.analysed" | "appointment.scheduled" | "contact.opted_out" | "campaign.completed" | "port-order.status_changed" | "account.spend_limit">; isActive: boolean; lastTriggeredAt: string | null; failureCount: number; disabledReason: "gone" | "failing" | null; secret: string; createdAt: string };

export type WebhookAnswer = { success: true; data: Webhook; warnings?: Array<string> };

export type WebhookDelivery = { id: string; eventId: string; eventType: string; url: string; attempt: number; success: boolean; statusCode: number | null; requestBody: string; responseBody: string | null; error: string | null; durationMs: number; isReplay: boolean; isTest: boolean; createdAt: string; nextRetryAt: string | null };

export type WebhookDeliveryAnswer = { success: true; data: WebhookDelivery; warnings?: Array<string> };

export type WebhookDeliveryPage = { success: true; data: Array<WebhookDelivery>; pagination: Pagination };

export type WebhookPage = { success: true; data: Array<Webhook>; pagination: Pagination };

export interface Operations {
  acceptInvite: { params: Record<never, never>; query: Record<never, never>; body: AcceptInviteBody; answer: RegisterResultAnswer };
  addContacts: { params: { id: string }; query: Record<never, never>; body: AddContactsBody; answer: AddedContactsAnswer };
  addDoNotCall: { params: Record<never, never>; query: Record<never, never>; body: AddDoNotCallBody; answer: DoNotCallEntryAnswer };
  addDocument: { params: { id: string }; query: Record<never, never>; body: AddDocumentBody; answer: DocumentAnswer };
  addInventory: { params: Record<never, never>; query: Record<never, never>; body: AddInventoryBody; answer: AddedNumbersAnswer };
  cancelPortOrder: { params: { id: string }; query: Record<never, never>; body: undefined; answer: PortOrderAnswer };
  cancelRerun: { params: { id: string; rerunId: string }; query: Record<never, never>; body: undefined; answer: RerunAnswer };
  changePassword: { params: Record<never, never>; query: Record<never, never>; body: ChangePasswordBody; answer: SessionAnswer };
  controlCall: { params: { id: string }; query: Record<never, never>; body: ControlCallBody; answer: CallControlAnswer };
  createAccessToken: { params: Record<never, never>; query: Record<never, never>; body: CreateAccessTokenBody; answer: NewPersonalTokenAnswer };
  createAgent: { params: Record<never, never>; query: Record<never, never>; body: CreateAgentBody; answer: AgentAnswer };
  createBusiness: { params: Record<never, never>; query: Record<never, never>; body: CreateBusinessBody; answer: BusinessAnswer };
  createCampaign: { params: Record<never, never>; query: Record<never, never>; body: CreateCampaignBody; answer: CampaignAnswer };
  createPortOrder: { params: Record<never, never>; query: Record<never, never>; body: CreatePortOrderBody; answer: PortOrderAnswer };
  createSipAccount: { params: Record<never, never>; query: Record<never, never>; body: CreateSipAccountBody; answer: NewSipAccountAnswer };
  createTool: { params: Record<never, never>; query: Record<never, never>; body: CreateToolBody; answer: ToolAnswer };
  createTrunk: { params: Record<never, never>; query: Record<never, never>; body: CreateTrunkBody; answer: TrunkAnswer };
  createWebhook: { params: Record<never, never>; query: Record<never, never>; body: CreateWebhookBody; answer: WebhookAnswer };
  deleteAgent: { params: { id: string }; query: Record<never, never>; body: undefined; answer: AgentAnswer };
  deleteBusiness: { params: { id: string }; query: Record<never, never>; body: undefined; answer: BusinessAnswer };
  deleteCampaign: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CampaignAnswer };
  deleteDocument: { params: { id: string; documentId: string }; query: Record<never, never>; body: undefined; answer: DocumentAnswer };
  deleteHoldMusic: { params: { id: string }; query: Record<never, never>; body: undefined; answer: HoldMusicAnswer };
  deleteSipAccount: { params: { id: string }; query: Record<never, never>; body: undefined; answer: SipAccountAnswer };
  deleteTool: { params: { id: string }; query: Record<never, never>; body: undefined; answer: ToolAnswer };
  deleteTrunk: { params: { id: string }; query: Record<never, never>; body: undefined; answer: TrunkAnswer };
  deleteWebhook: { params: { id: string }; query: Record<never, never>; body: undefined; answer: DeleteWebhookAnswer };
  disableSecondFactor: { params: Record<never, never>; query: Record<never, never>; body: DisableSecondFactorBody; answer: MessageAnswer };
  downloadModel: { params: { name: string }; query: Record<never, never>; body: undefined; answer: ModelAnswer };
  downloadPortDocument: { params: { id: string; documentId: string }; query: Record<never, never>; body: undefined; answer: Blob };
  enableSecondFactor: { params: Record<never, never>; query: Record<never, never>; body: EnableSecondFactorBody; answer: RecoveryCodesAnswer };
  endCall: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CallAnswer };
  endOtherSessions: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: EndedSessionsAnswer };
  endSession: { params: { id: string }; query: Record<never, never>; body: undefined; answer: OwnSessionAnswer };
  eraseCall: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CallAnswer };
  exportCalls: { params: Record<never, never>; query: { direction?: "inbound" | "outbound"; status?: "RINGING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "VOICEMAIL" | "SCHEDULED"; outcome?: string; sentiment?: "positive" | "neutral" | "negative"; businessId?: string; campaignId?: string; agentId?: string; phoneNumberId?: string; startDate?: string; endDate?: string; minScore?: number; maxScore?: number; disposition?: string; forwardedFrom?: string }; body: undefined; answer: Blob };
  extractFromUrl: { params: { id: string }; query: Record<never, never>; body: ExtractFromUrlBody; answer: ExtractFromUrlAnswer };
  forgotPassword: { params: Record<never, never>; query: Record<never, never>; body: ForgotPasswordBody; answer: MessageAnswer };
  generateFaqs: { params: { id: string }; query: Record<never, never>; body: GenerateFaqsBody; answer: GenerateFaqsAnswer };
  generateServices: { params: { id: string }; query: Record<never, never>; body: GenerateServicesBody; answer: GenerateServicesAnswer };
  getAccount: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: AccountAnswer };
  getAgent: { params: { id: string }; query: Record<never, never>; body: undefined; answer: AgentAnswer };
  getBilling: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: BillingAccountAnswer };
  getBusiness: { params: { id: string }; query: Record<never, never>; body: undefined; answer: BusinessAnswer };
  getCall: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CallAnswer };
  getCampaign: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CampaignDetailsAnswer };
  getCampaignStats: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CampaignStatsAnswer };
  getCurrentUser: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: UserAnswer };
  getDocument: { params: { id: string; documentId: string }; query: Record<never, never>; body: undefined; answer: DocumentAnswer };
  getHoldMusic: { params: { id: string }; query: Record<never, never>; body: undefined; answer: HoldMusicAnswer };
  getHoldMusicAudio: { params: { id: string }; query: Record<never, never>; body: undefined; answer: Blob };
  getModel: { params: { name: string }; query: { kind?: "vad" | "stt" | "tts" | "llm" | "speech-to-speech" }; body: undefined; answer: ModelAnswer };
  getModelSettings: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: GetModelSettingsAnswer };
  getOverview: { params: Record<never, never>; query: { days?: number }; body: undefined; answer: OverviewAnswer };
  getPhoneNumber: { params: { id: string }; query: Record<never, never>; body: undefined; answer: PhoneNumberAnswer };
  getPortOrder: { params: { id: string }; query: Record<never, never>; body: undefined; answer: PortOrderAnswer };
  getRecording: { params: { id: string }; query: Record<never, never>; body: undefined; answer: Blob };
  getRerun: { params: { id: string; rerunId: string }; query: Record<never, never>; body: undefined; answer: RerunAnswer };
  getSettings: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: SettingsAnswer };
  getSipAccount: { params: { id: string }; query: Record<never, never>; body: undefined; answer: SipAccountAnswer };
  getStatus: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: StatusAnswer };
  getTimelinePicture: { params: { id: string }; query: Record<never, never>; body: undefined; answer: Blob };
  getTool: { params: { id: string }; query: Record<never, never>; body: undefined; answer: ToolAnswer };
  getTranscript: { params: { id: string }; query: Record<never, never>; body: undefined; answer: TranscriptEntryList };
  getTrunk: { params: { id: string }; query: Record<never, never>; body: undefined; answer: TrunkAnswer };
  getVoicePreview: { params: { id: string }; query: Record<never, never>; body: undefined; answer: Blob };
  getWebhook: { params: { id: string }; query: Record<never, never>; body: undefined; answer: WebhookAnswer };
  inviteUser: { params: Record<never, never>; query: Record<never, never>; body: InviteUserBody; answer: UserAnswer };
  listAccessTokens: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: PersonalTokenPage };
  listAccounts: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: AccountPage };
  listAgents: { params: Record<never, never>; query: { page?: number; limit?: number; isActive?: boolean }; body: undefined; answer: AgentPage };
  listAllPortOrders: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: AdminPortOrderPage };
  listAppointments: { params: Record<never, never>; query: { page?: number; limit?: number; businessId?: string; callId?: string; status?: "booked" | "cancelled" }; body: undefined; answer: AppointmentPage };
  listBusinessAuditLog: { params: { id: string }; query: { page?: number; limit?: number }; body: undefined; answer: BusinessAuditEntryPage };
  listBusinesses: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: BusinessPage };
  listCallEvents: { params: { id: string }; query: { page?: number; limit?: number }; body: undefined; answer: CallEventPage };
  listCalls: { params: Record<never, never>; query: { page?: number; limit?: number; direction?: "inbound" | "outbound"; status?: "RINGING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "VOICEMAIL" | "SCHEDULED"; outcome?: string; sentiment?: "positive" | "neutral" | "negative"; businessId?: string; campaignId?: string; agentId?: string; phoneNumberId?: string; startDate?: string; endDate?: string; minScore?: number; maxScore?: number; disposition?: string; forwardedFrom?: string; sort?: "-startedAt" | "startedAt" | "-score" | "score" }; body: undefined; answer: CallPage };
  listCampaignCalls: { params: { id: string }; query: { page?: number; limit?: number; direction?: "inbound" | "outbound"; status?: "RINGING" | "IN_PROGRESS" | "COMPLETED" | "FAILED" | "VOICEMAIL" | "SCHEDULED"; outcome?: string; sentiment?: "positive" | "neutral" | "negative"; businessId?: string; campaignId?: string; agentId?: string; phoneNumberId?: string; startDate?: string; endDate?: string; minScore?: number; maxScore?: number; disposition?: string; forwardedFrom?: string; sort?: "-startedAt" | "startedAt" | "-score" | "score" }; body: undefined; answer: CallPage };
  listCampaignContacts: { params: { id: string }; query: { page?: number; limit?: number; status?: "PENDING" | "CALLING" | "COMPLETED" | "FAILED" | "VOICEMAIL" | "DO_NOT_CALL" }; body: undefined; answer: ContactPage };
  listCampaigns: { params: Record<never, never>; query: { page?: number; limit?: number; status?: "DRAFT" | "SCHEDULED" | "RUNNING" | "PAUSED" | "COMPLETED" | "FAILED"; agentId?: string }; body: undefined; answer: CampaignPage };
  listCharges: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: ChargePage };
  listDeliveries: { params: { id: string }; query: { page?: number; limit?: number; success?: boolean }; body: undefined; answer: WebhookDeliveryPage };
  listDoNotCall: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: DoNotCallEntryPage };
  listDocuments: { params: { id: string }; query: { page?: number; limit?: number }; body: undefined; answer: DocumentPage };
  listInventory: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: InventoryNumberPage };
  listLiveCalls: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: CallPage };
  listModels: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: ModelPage };
  listPhoneNumbers: { params: Record<never, never>; query: { campaignId?: string; page?: number; limit?: number }; body: undefined; answer: PhoneNumberPage };
  listPortOrders: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: PortOrderPage };
  listRefusedCalls: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: RefusedCallPage };
  listReruns: { params: { id: string }; query: { page?: number; limit?: number }; body: undefined; answer: RerunPage };
  listSessions: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: OwnSessionPage };
  listSipAccounts: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: SipAccountPage };
  listTools: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: ToolPage };
  listTrunks: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: TrunkPage };
  listUsers: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: UserPage };
  listVoices: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: VoicePage };
  listWebhooks: { params: Record<never, never>; query: { page?: number; limit?: number }; body: undefined; answer: WebhookPage };
  listenToCall: { params: { id: string }; query: Record<never, never>; body: undefined; answer: ListeningAnswer };
  login: { params: Record<never, never>; query: Record<never, never>; body: LoginBody; answer: LoginResultAnswer };
  logout: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: MessageAnswer };
  movePortOrder: { params: { id: string }; query: Record<never, never>; body: MovePortOrderBody; answer: AdminPortOrderAnswer };
  pauseCampaign: { params: { id: string }; query: Record<never, never>; body: undefined; answer: CampaignAnswer };
  placeCall: { params: Record<never, never>; query: Record<never, never>; body: PlaceCallBody; answer: CallAnswer };
  placeWebCall: { params: Record<never, never>; query: Record<never, never>; body: PlaceWebCallBody; answer: WebCallAnswer };
  previewCampaign: { params: { id: string }; query: Record<never, never>; body: PreviewCampaignBody; answer: CampaignPreviewAnswer };
  purchaseNumber: { params: Record<never, never>; query: Record<never, never>; body: PurchaseNumberBody; answer: PhoneNumberAnswer };
  putHoldMusic: { params: { id: string }; query: Record<never, never>; body: Blob; answer: HoldMusicAnswer };
  refreshDocument: { params: { id: string; documentId: string }; query: Record<never, never>; body: undefined; answer: DocumentAnswer };
  refreshSession: { params: Record<never, never>; query: Record<never, never>; body: RefreshSessionBody; answer: TokenPairAnswer };
  refreshTool: { params: { id: string }; query: Record<never, never>; body: undefined; answer: ToolAnswer };
  register: { params: Record<never, never>; query: Record<never, never>; body: RegisterBody; answer: RegisterResultAnswer };
  releasePhoneNumber: { params: { id: string }; query: Record<never, never>; body: undefined; answer: ReleasedNumberAnswer };
  removeContact: { params: { id: string; contactId: string }; query: Record<never, never>; body: undefined; answer: ContactAnswer };
  removeDoNotCall: { params: { phoneNumber: string }; query: Record<never, never>; body: undefined; answer: DoNotCallEntryAnswer };
  removeInventory: { params: { phoneNumber: string }; query: Record<never, never>; body: undefined; answer: InventoryNumberAnswer };
  removeUser: { params: { id: string }; query: Record<never, never>; body: undefined; answer: UserAnswer };
  replayDelivery: { params: { id: string; deliveryId: string }; query: Record<never, never>; body: undefined; answer: WebhookDeliveryAnswer };
  resendVerification: { params: Record<never, never>; query: Record<never, never>; body: ResendVerificationBody; answer: MessageAnswer };
  resetPassword: { params: Record<never, never>; query: Record<never, never>; body: ResetPasswordBody; answer: MessageAnswer };
  restoreBusiness: { params: { id: string }; query: Record<never, never>; body: undefined; answer: BusinessAnswer };
  resumeCampaign: { params: { id: string }; query: Record<never, never>; body: undefined; answer: StartedCampaignAnswer };
  revokeAccessToken: { params: { id: string }; query: Record<never, never>; body: undefined; answer: PersonalTokenAnswer };
  rotateWebhookSecret: { params: { id: string }; query: Record<never, never>; body: undefined; answer: WebhookAnswer };
  searchDocuments: { params: { id: string }; query: Record<never, never>; body: SearchDocumentsBody; answer: PassageList };
  searchNumbers: { params: Record<never, never>; query: { country?: string; areaCode?: string; type?: "local" | "mobile" | "toll_free"; capabilities?: string }; body: undefined; answer: NumberOfferList };
  setUpBilling: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: SetupPageAnswer };
  setUpSecondFactor: { params: Record<never, never>; query: Record<never, never>; body: undefined; answer: SecondFactorSetupAnswer };
  startCampaign: { params: { id: string }; query: Record<never, never>; body: undefined; answer: StartedCampaignAnswer };
  startRerun: { params: { id: string }; query: Record<never, never>; body: StartRerunBody; answer: RerunAnswer };
  streamCall: { params: { id: string }; query: Record<never, never>; body: undefined; answer: Blob };
  testModelSettings: { params: { kind: "llm" | "stt" | "tts" | "speech-to-speech" }; query: Record<never, never>; body: TestModelSettingsBody; answer: ModelTestResultAnswer };
  testTool: { params: { id: string }; query: Record<never, never>; body: TestToolBody; answer: ToolTestAnswer };
  testWebhook: { params: { id: string }; query: Record<never, never>; body: TestWebhookBody; answer: WebhookDeliveryAnswer };
  updateAccount: { params: Record<never, never>; query: Record<never, never>; body: UpdateAccountBody; answer: AccountAnswer };
  updateAgent: { params: { id: string }; query: Record<never, never>; body: UpdateAgentBody; answer: AgentAnswer };
  updateAnyAccount: { params: { id: string }; query: Record<never, never>; body: UpdateAnyAccountBody; answer: AccountAnswer };
  updateAppointment: { params: { id: string }; query: Record<never, never>; body: UpdateAppointmentBody; answer: AppointmentAnswer };
  updateBusiness: { params: { id: string }; query: Record<never, never>; body: UpdateBusinessBody; answer: BusinessAnswer };
  updateCampaign: { params: { id: string }; query: Record<never, never>; body: UpdateCampaignBody; answer: CampaignAnswer };
  updateInventory: { params: { phoneNumber: string }; query: Record<never, never>; body: UpdateInventoryBody; answer: InventoryNumberAnswer };
  updateModelSettings: { params: { kind: "llm" | "stt" | "tts" | "speech-to-speech" }; query: Record<never, never>; body: UpdateModelSettingsBody; answer: ModelSettingsAnswer };
  updatePhoneNumber: { params: { id: string }; query: Record<never, never>; body: UpdatePhoneNumberBody; answer: PhoneNumberAnswer };
  updateSettings: { params: Record<never, never>; query: Record<never, never>; body: UpdateSettingsBody; answer: SettingsAnswer };
  updateSipAccount: { params: { id: string }; query: Record<never, never>; body: UpdateSipAccountBody; answer: SipAccountAnswer };
  updateTool: { params: { id: string }; query: Record<never, never>; body: UpdateToolBody; answer: ToolAnswer };
  updateTrunk: { params: { id: string }; query: Record<never, never>; body: UpdateTrunkBody; answer: TrunkAnswer };
  updateWebhook: { params: { id: string }; query: Record<never, never>; body: UpdateWebhookBody; answer: WebhookAnswer };
  uploadDocument: { params: { id: string }; query: Record<never, never>; body: UploadDocumentBody; answer: DocumentAnswer };
  uploadPortDocument: { params: { id: string }; query: Record<never, never>; body: UploadPortDocumentBody; answer: PortOrderAnswer };
  verifyEmail: { params: Record<never, never>; query: Record<never, never>; body: VerifyEmailBody; answer: MessageAnswer };
  verifySecondFactor: { params: Record<never, never>; query: Record<never, never>; body: VerifySecondFactorBody; answer: SessionAnswer };
}

export const OPERATIONS = {
  acceptInvite: ['POST', '/auth/accept-invite'],
  addContacts: ['POST', '/campaigns/{id}/contacts'],
  addDoNotCall: ['POST', '/do-not-call'],
  addDocument: ['POST', '/businesses/{id}/documents'],
  addInventory: ['POST', '/admin/inventory'],
  cancelPortOrder: ['POST', '/phone-numbers/port-in/{id}/cancel'],
  cancelRerun: ['POST', '/businesses/{id}/reruns/{rerunId}/cancel'],
  changePassword: ['POST', '/auth/change-password'],
  controlCall: ['POST', '/calls/{id}/control'],
  createAccessToken: ['POST', '/auth/tokens'],
  createAgent: ['POST', '/agents'],
  createBusiness: ['POST', '/businesses'],
  createCampaign: ['POST', '/campaigns'],
  createPortOrder: ['POST', '/phone-numbers/port-in'],
  createSipAccount: ['POST', '/admin/sip-accounts'],
  createTool: ['POST', '/tools'],
  createTrunk: ['POST', '/admin/trunks'],
  createWebhook: ['POST', '/webhooks'],
  deleteAgent: ['DELETE', '/agents/{id}'],
  deleteBusiness: ['DELETE', '/businesses/{id}'],
  deleteCampaign: ['DELETE', '/campaigns/{id}'],
  deleteDocument: ['DELETE', '/businesses/{id}/documents/{documentId}'],
  deleteHoldMusic: ['DELETE', '/businesses/{id}/hold-music'],
  deleteSipAccount: ['DELETE', '/admin/sip-accounts/{id}'],
  deleteTool: ['DELETE', '/tools/{id}'],
  deleteTrunk: ['DELETE', '/admin/trunks/{id}'],
  deleteWebhook: ['DELETE', '/webhooks/{id}'],
  disableSecondFactor: ['POST', '/auth/2fa/disable'],
  downloadModel: ['POST', '/admin/models/{name}/download'],
  downloadPortDocument: ['GET', '/admin/port-orders/{id}/documents/{documentId}'],
  enableSecondFactor: ['POST', '/auth/2fa/enable'],
  endCall: ['POST', '/calls/{id}/end'],
  endOtherSessions: ['DELETE', '/auth/sessions'],
  endSession: ['DELETE', '/auth/sessions/{id}'],
  eraseCall: ['DELETE', '/calls/{id}'],
  exportCalls: ['GET', '/calls/export'],
  extractFromUrl: ['POST', '/businesses/{id}/extract-from-url'],
  forgotPassword: ['POST', '/auth/forgot-password'],
  generateFaqs: ['POST', '/businesses/{id}/generate-faqs'],
  generateServices: ['POST', '/businesses/{id}/generate-services'],
  getAccount: ['GET', '/account'],
  getAgent: ['GET', '/agents/{id}'],
  getBilling: ['GET', '/account/billing'],
  getBusiness: ['GET', '/businesses/{id}'],
  getCall: ['GET', '/calls/{id}'],
  getCampaign: ['GET', '/campaigns/{id}'],
  getCampaignStats: ['GET', '/campaigns/{id}/stats'],
  getCurrentUser: ['GET', '/auth/me'],
  getDocument: ['GET', '/businesses/{id}/documents/{documentId}'],
  getHoldMusic: ['GET', '/businesses/{id}/hold-music'],
  getHoldMusicAudio: ['GET', '/businesses/{id}/hold-music/audio'],
  getModel: ['GET', '/admin/models/{name}'],
  getModelSettings: ['GET', '/admin/model-settings'],
  getOverview: ['GET', '/account/overview'],
  getPhoneNumber: ['GET', '/phone-numbers/{id}'],
  getPortOrder: ['GET', '/phone-numbers/port-in/{id}'],
  getRecording: ['GET', '/calls/{id}/audio'],
  getRerun: ['GET', '/businesses/{id}/reruns/{rerunId}'],
  getSettings: ['GET', '/admin/settings'],
  getSipAccount: ['GET', '/admin/sip-accounts/{id}'],
  getStatus: ['GET', '/admin/status'],
  getTimelinePicture: ['GET', '/calls/{id}/timeline.svg'],
  getTool: ['GET', '/tools/{id}'],
  getTranscript: ['GET', '/calls/{id}/transcript'],
  getTrunk: ['GET', '/admin/trunks/{id}'],
  getVoicePreview: ['GET', '/voices/{id}/preview'],
  getWebhook: ['GET', '/webhooks/{id}'],
  inviteUser: ['POST', '/account/users'],
  listAccessTokens: ['GET', '/auth/tokens'],
  listAccounts: ['GET', '/admin/accounts'],
  listAgents: ['GET', '/agents'],
  listAllPortOrders: ['GET', '/admin/port-orders'],
  listAppointments: ['GET', '/appointments'],
  listBusinessAuditLog: ['GET', '/businesses/{id}/audit-log'],
  listBusinesses: ['GET', '/businesses'],
  listCallEvents: ['GET', '/calls/{id}/events'],
  listCalls: ['GET', '/calls'],
  listCampaignCalls: ['GET', '/campaigns/{id}/calls'],
  listCampaignContacts: ['GET', '/campaigns/{id}/contacts'],
  listCampaigns: ['GET', '/campaigns'],
  listCharges: ['GET', '/account/charges'],
  listDeliveries: ['GET', '/webhooks/{id}/deliveries'],
  listDoNotCall: ['GET', '/do-not-call'],
  listDocuments: ['GET', '/businesses/{id}/documents'],
  listInventory: ['GET', '/admin/inventory'],
  listLiveCalls: ['GET', '/live'],
  listModels: ['GET', '/admin/models'],
  listPhoneNumbers: ['GET', '/phone-numbers'],
  listPortOrders: ['GET', '/phone-numbers/port-in'],
  listRefusedCalls: ['GET', '/admin/refused-calls'],
  listReruns: ['GET', '/businesses/{id}/reruns'],
  listSessions: ['GET', '/auth/sessions'],
  listSipAccounts: ['GET', '/admin/sip-accounts'],
  listTools: ['GET', '/tools'],
  listTrunks: ['GET', '/admin/trunks'],
  listUsers: ['GET', '/account/users'],
  listVoices: ['GET', '/voices'],
  listWebhooks: ['GET', '/webhooks'],
  listenToCall: ['POST', '/calls/{id}/listen'],
  login: ['POST', '/auth/login'],
  logout: ['POST', '/auth/logout'],
  movePortOrder: ['PATCH', '/admin/port-orders/{id}'],
  pauseCampaign: ['POST', '/campaigns/{id}/pause'],
  placeCall: ['POST', '/calls'],
  placeWebCall: ['POST', '/calls/web'],
  previewCampaign: ['POST', '/campaigns/{id}/preview'],
  purchaseNumber: ['POST', '/phone-numbers/purchase'],
  putHoldMusic: ['PUT', '/businesses/{id}/hold-music'],
  refreshDocument: ['POST', '/businesses/{id}/documents/{documentId}/refresh'],
  refreshSession: ['POST', '/auth/refresh'],
  refreshTool: ['POST', '/tools/{id}/refresh'],
  register: ['POST', '/auth/register'],
  releasePhoneNumber: ['DELETE', '/phone-numbers/{id}'],
  removeContact: ['DELETE', '/campaigns/{id}/contacts/{contactId}'],
  removeDoNotCall: ['DELETE', '/do-not-call/{phoneNumber}'],
  removeInventory: ['DELETE', '/admin/inventory/{phoneNumber}'],
  removeUser: ['DELETE', '/account/users/{id}'],
  replayDelivery: ['POST', '/webhooks/{id}/deliveries/{deliveryId}/replay'],
  resendVerification: ['POST', '/auth/resend-verification'],
  resetPassword: ['POST', '/auth/reset-password'],
  restoreBusiness: ['POST', '/businesses/{id}/restore'],
  resumeCampaign: ['POST', '/campaigns/{id}/resume'],
  revokeAccessToken: ['DELETE', '/auth/tokens/{id}'],
  rotateWebhookSecret: ['POST', '/webhooks/{id}/rotate-secret'],
  searchDocuments: ['POST', '/businesses/{id}/documents/search'],
  searchNumbers: ['GET', '/phone-numbers/search'],
  setUpBilling: ['POST', '/account/billing/setup'],
  setUpSecondFactor: ['POST', '/auth/2fa/setup'],
  startCampaign: ['POST', '/campaigns/{id}/start'],
  startRerun: ['POST', '/businesses/{id}/reruns'],
  streamCall: ['GET', '/calls/{id}/stream'],
  testModelSettings: ['POST', '/admin/model-settings/{kind}/test'],
  testTool: ['POST', '/tools/{id}/test'],
  testWebhook: ['POST', '/webhooks/{id}/test'],
  updateAccount: ['PATCH', '/account'],
  updateAgent: ['PATCH', '/agents/{id}'],
  updateAnyAccount: ['PATCH', '/admin/accounts/{id}'],
  updateAppointment: ['PATCH', '/appointments/{id}'],
  updateBusiness: ['PATCH', '/businesses/{id}'],
  updateCampaign: ['PATCH', '/campaigns/{id}'],
  updateInventory: ['PATCH', '/admin/inventory/{phoneNumber}'],
  updateModelSettings: ['PATCH', '/admin/model-settings/{kind}'],
  updatePhoneNumber: ['PATCH', '/phone-numbers/{id}'],
  updateSettings: ['PATCH', '/admin/settings'],
  updateSipAccount: ['PATCH', '/admin/sip-accounts/{id}'],
  updateTool: ['PATCH', '/tools/{id}'],
  updateTrunk: ['PATCH', '/admin/trunks/{id}'],
  updateWebhook: ['PATCH', '/webhooks/{id}'],
  uploadDocument: ['POST', '/businesses/{id}/documents/upload'],
  uploadPortDocument: ['POST', '/phone-numbers/port-in/{id}/documents'],
  verifyEmail: ['POST', '/auth/verify-email'],
  verifySecondFactor: ['POST', '/auth/verify-2fa'],
} as const satisfies Record<keyof Operations, readonly [string, string]>;
