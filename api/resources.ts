// Every resource's routes, alphabetical. The server mounts them under /api/v1.
import { registerAccount } from './account/routes.ts';
import { registerAgents } from './agents/routes.ts';
import { registerAlerts } from './alerts/routes.ts';
import { registerReminders } from './appointments/reminder-routes.ts';
import { registerAppointments } from './appointments/routes.ts';
import { registerAuditLog } from './audit/routes.ts';
import { registerProviderSignIn } from './auth/provider/routes.ts';
import { registerAuth } from './auth/routes.ts';
import { registerBilling } from './billing/routes.ts';
import { registerHoldMusic } from './businesses/hold-music.ts';
import { registerBusinesses } from './businesses/routes.ts';
import { registerBusinessHelpers } from './businesses/website/fill-in-routes.ts';
import { registerReadSite } from './businesses/website/routes.ts';
import { registerCalendarSignIns } from './calendars/accounts/sign-in-routes.ts';
import { registerCalendarFeed } from './calendars/feed.ts';
import { registerCalendars } from './calendars/routes.ts';
import { registerCallProblems } from './calls/problems.ts';
import { registerCalls } from './calls/routes.ts';
import { registerCallWrites } from './calls/write-routes.ts';
import { registerCampaigns } from './campaigns/routes.ts';
import { registerCarriers } from './carriers/accounts/routes.ts';
import { registerContacts } from './contacts/routes.ts';
import { registerContactSearch } from './contacts/search.ts';
import type { ApiContext } from './context.ts';
import { registerConversations } from './conversations/routes.ts';
import { registerCosts } from './costs/routes.ts';
import { registerDoNotCall } from './do-not-call/routes.ts';
import { registerDocuments } from './documents/routes.ts';
import type { App } from './frame/app.ts';
import { registerInventory } from './inventory/routes.ts';
import { registerLive } from './live/routes.ts';
import { registerModelKits } from './models/kit-routes.ts';
import { registerModels } from './models/routes.ts';
import { registerModelSettings } from './models/settings-routes.ts';
import { registerNotices } from './notices/routes.ts';
import { registerPhoneNumbers } from './phone-numbers/routes.ts';
import { registerPortIn } from './port-in/routes.ts';
import { registerRefusedCalls } from './refused-calls/routes.ts';
import { registerReruns } from './results/routes.ts';
import { registerSettings } from './settings/routes.ts';
import { registerSipAccounts } from './sip-accounts/routes.ts';
import { registerStatus } from './status/routes.ts';
import { registerTestSuites } from './test-suites/routes.ts';
import { registerTools } from './tools/routes.ts';
import { registerTrunks } from './trunks/routes.ts';
import { registerVersions } from './versions/routes.ts';
import { registerVoices } from './voices/routes.ts';
import { registerWebhooks } from './webhooks/routes.ts';
import { registerWidgetKeys } from './widget/keys-routes.ts';
import { registerWidget } from './widget/public-routes.ts';

export const resources: ReadonlyArray<(app: App, context: ApiContext) => void> = [
  registerAccount,
  registerAgents,
  registerAlerts,
  registerTools,
  registerDocuments,
  registerReruns,
  registerAppointments,
  registerReminders,
  registerAuditLog,
  registerAuth,
  registerProviderSignIn,
  registerBilling,
  registerBusinessHelpers,
  registerReadSite,
  registerBusinesses,
  registerHoldMusic,
  registerCalendarFeed,
  registerCalendars,
  registerCalendarSignIns,
  registerCallWrites,
  registerCalls,
  registerCallProblems,
  registerCampaigns,
  registerCarriers,
  registerContacts,
  registerConversations,
  registerContactSearch,
  registerCosts,
  registerDoNotCall,
  registerInventory,
  registerLive,
  registerModelSettings,
  registerModels,
  registerModelKits,
  registerNotices,
  registerPhoneNumbers,
  registerPortIn,
  registerRefusedCalls,
  registerSettings,
  registerSipAccounts,
  registerStatus,
  registerTestSuites,
  registerTrunks,
  registerVersions,
  registerVoices,
  registerWebhooks,
  registerWidget,
  registerWidgetKeys,
];
