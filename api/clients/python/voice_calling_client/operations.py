"""The methods of each group of operations.

Written by api/openapi/openapi-write.ts from the OpenAPI document: do not edit.
"""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Literal, Optional, Union

from . import types
from .transport import Answer, File, Group, Pages, Transport


class Account(Group):
    def get(self, *, timeout: Optional[float] = None) -> types.Account:
        """The account and its minutes"""
        return self._data("GET", "/account", timeout=timeout)

    def get_overview(self, *, days: Optional[int] = None, timezone: Optional[str] = None, timeout: Optional[float] = None) -> types.Overview:
        """The last days at a glance: calls, minutes, answer rate, response gaps, failures"""
        return self._data("GET", "/account/overview", query={"days": days, "timezone": timezone}, timeout=timeout)

    def invite_user(self, body: types.InviteUserBody, *, timeout: Optional[float] = None) -> types.InvitedUser:
        """Invite a user: a mail brings the link that sets the password"""
        return self._data("POST", "/account/users", body=body, timeout=timeout)

    def list_audit_log(self, *, page: Optional[int] = None, limit: Optional[int] = None, actor: Optional[str] = None, action: Optional[str] = None, resource: Optional[str] = None, resourceId: Optional[str] = None, startDate: Optional[str] = None, endDate: Optional[str] = None, timeout: Optional[float] = None) -> Pages[types.AuditEntry]:
        """Who did what in the account, newest first. What changed agents, businesses, tools,
        campaigns, numbers, trunks, settings, tokens and people, sign-ins that succeeded and
        that were refused, and recordings that were heard. Entries are kept for 400 days."""
        return self._pages("/account/audit-log", query={"page": page, "limit": limit, "actor": actor, "action": action, "resource": resource, "resourceId": resourceId, "startDate": startDate, "endDate": endDate}, timeout=timeout)

    def list_installation_audit_log(self, *, page: Optional[int] = None, limit: Optional[int] = None, actor: Optional[str] = None, action: Optional[str] = None, resource: Optional[str] = None, resourceId: Optional[str] = None, startDate: Optional[str] = None, endDate: Optional[str] = None, timeout: Optional[float] = None) -> Pages[types.AuditEntry]:
        """Who did what in the installation, newest first. For role ADMIN. What changed agents,
        businesses, tools, campaigns, numbers, trunks, settings, tokens and people, sign-ins
        that succeeded and that were refused, and recordings that were heard. Entries are kept
        for 400 days."""
        return self._pages("/admin/audit-log", query={"page": page, "limit": limit, "actor": actor, "action": action, "resource": resource, "resourceId": resourceId, "startDate": startDate, "endDate": endDate}, timeout=timeout)

    def list_users(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.User]:
        """The users of the account"""
        return self._pages("/account/users", query={"page": page, "limit": limit}, timeout=timeout)

    def remove_user(self, id: str, *, timeout: Optional[float] = None) -> types.User:
        """Remove a user, with their sessions and tokens"""
        return self._data("DELETE", self._path("/account/users/{id}", id), timeout=timeout)

    def update(self, body: Optional[types.UpdateAccountBody] = None, *, timeout: Optional[float] = None) -> types.Account:
        """Change name, timezone, default campaign or how long calls are kept"""
        return self._data("PATCH", "/account", body=body, timeout=timeout)



class Administration(Group):
    def add_inventory(self, body: Optional[types.AddInventoryBody] = None, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.AddedNumbers:
        """Add numbers to the stock, single ones or a range. For role ADMIN."""
        return self._data("POST", "/admin/inventory", body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def create_carrier(self, body: types.CreateCarrierBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Carrier:
        """Connect an account at Twilio, Telnyx or Plivo. For role ADMIN."""
        return self._data("POST", "/admin/carriers", body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def create_sip_account(self, body: types.CreateSipAccountBody, *, timeout: Optional[float] = None) -> types.NewSipAccount:
        """Add an account for a softphone; a username is enough. The password is shown once. For
        role ADMIN."""
        return self._data("POST", "/admin/sip-accounts", body=body, timeout=timeout)

    def create_trunk(self, body: types.CreateTrunkBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Trunk:
        """Add a trunk; name and host are enough. For role ADMIN."""
        return self._data("POST", "/admin/trunks", body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def delete_carrier(self, id: str, *, undo: Optional[bool] = None, timeout: Optional[float] = None) -> types.Carrier:
        """Disconnect an account, with its trunk if that is asked for. For role ADMIN."""
        return self._data("DELETE", self._path("/admin/carriers/{id}", id), query={"undo": undo}, timeout=timeout)

    def delete_sip_account(self, id: str, *, timeout: Optional[float] = None) -> types.SipAccount:
        """Delete an account; its phone is unregistered at once, and its username is free again.
        For role ADMIN."""
        return self._data("DELETE", self._path("/admin/sip-accounts/{id}", id), timeout=timeout)

    def delete_trunk(self, id: str, *, timeout: Optional[float] = None) -> types.Trunk:
        """Take a trunk out of service; it is unregistered. For role ADMIN."""
        return self._data("DELETE", self._path("/admin/trunks/{id}", id), timeout=timeout)

    def get_carrier(self, id: str, *, timeout: Optional[float] = None) -> types.Carrier:
        """One connected account. For role ADMIN."""
        return self._data("GET", self._path("/admin/carriers/{id}", id), timeout=timeout)

    def get_settings(self, *, timeout: Optional[float] = None) -> types.Settings:
        """The settings of the installation. For role ADMIN."""
        return self._data("GET", "/admin/settings", timeout=timeout)

    def get_sip_account(self, id: str, *, timeout: Optional[float] = None) -> types.SipAccount:
        """One account of a softphone. For role ADMIN."""
        return self._data("GET", self._path("/admin/sip-accounts/{id}", id), timeout=timeout)

    def get_status(self, *, timeout: Optional[float] = None) -> types.Status:
        """What is wrong with the installation, and what to do about it. For role ADMIN."""
        return self._data("GET", "/admin/status", timeout=timeout)

    def get_trunk(self, id: str, *, timeout: Optional[float] = None) -> types.Trunk:
        """One trunk. For role ADMIN."""
        return self._data("GET", self._path("/admin/trunks/{id}", id), timeout=timeout)

    def list_accounts(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.Account]:
        """All accounts. For role ADMIN."""
        return self._pages("/admin/accounts", query={"page": page, "limit": limit}, timeout=timeout)

    def list_carrier_numbers(self, id: str, *, timeout: Optional[float] = None) -> List[types.CarrierOwned]:
        """The numbers that the account at the carrier has, and whose they are here. For role
        ADMIN."""
        return self._data("GET", self._path("/admin/carriers/{id}/numbers", id), timeout=timeout)

    def list_carrier_orders(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.CarrierOrder]:
        """The journal of purchases at the carrier, newest first. For role ADMIN."""
        return self._pages(self._path("/admin/carriers/{id}/orders", id), query={"page": page, "limit": limit}, timeout=timeout)

    def list_carriers(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.Carrier]:
        """The connected accounts at carriers. For role ADMIN."""
        return self._pages("/admin/carriers", query={"page": page, "limit": limit}, timeout=timeout)

    def list_inventory(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.InventoryNumber]:
        """The stock of numbers. For role ADMIN."""
        return self._pages("/admin/inventory", query={"page": page, "limit": limit}, timeout=timeout)

    def list_read_invites(self, id: str, *, timeout: Optional[float] = None) -> List[types.ReadInvite]:
        """How the numbers of its last ten INVITEs were read, the newest first. For role ADMIN."""
        return self._data("GET", self._path("/admin/trunks/{id}/invites", id), timeout=timeout)

    def list_refused_calls(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.RefusedCall]:
        """Calls that were refused before there was a call, the newest 1,000. For role ADMIN."""
        return self._pages("/admin/refused-calls", query={"page": page, "limit": limit}, timeout=timeout)

    def list_sip_accounts(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.SipAccount]:
        """Accounts of softphones, with where each is registered. For role ADMIN."""
        return self._pages("/admin/sip-accounts", query={"page": page, "limit": limit}, timeout=timeout)

    def list_trunks(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.Trunk]:
        """SIP trunks, with registration and health. For role ADMIN."""
        return self._pages("/admin/trunks", query={"page": page, "limit": limit}, timeout=timeout)

    def listen_to_carrier_texts(self, id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> List[types.CarrierTexting]:
        """Have texts to its numbers come here, as those to numbers that are bought do. For role
        ADMIN."""
        return self._data("POST", self._path("/admin/carriers/{id}/texting", id), key=idempotency_key, keyed=True, timeout=timeout)

    def make_carrier_trunk(self, id: str, body: Optional[types.MakeCarrierTrunkBody] = None, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Trunk:
        """Make a trunk at the carrier and here; again: the same one, as it is asked for now. For
        role ADMIN."""
        return self._data("POST", self._path("/admin/carriers/{id}/trunk", id), body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def remove_inventory(self, phone_number: Union[str, int], *, timeout: Optional[float] = None) -> types.InventoryNumber:
        """Take a number out of the stock. For role ADMIN."""
        return self._data("DELETE", self._path("/admin/inventory/{phoneNumber}", phone_number), timeout=timeout)

    def take_over_carrier_number(self, id: str, body: types.TakeOverCarrierNumberBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.PhoneNumber:
        """Take over a number that the account at the carrier has: it is bound to the trunk. For
        role ADMIN."""
        return self._data("POST", self._path("/admin/carriers/{id}/numbers", id), body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def test_carrier(self, id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.CarrierTest:
        """Ask the carrier what the key can do; nothing is changed there. For role ADMIN."""
        return self._data("POST", self._path("/admin/carriers/{id}/test", id), key=idempotency_key, keyed=True, timeout=timeout)

    def update_any_account(self, id: str, body: Optional[types.UpdateAnyAccountBody] = None, *, timeout: Optional[float] = None) -> types.Account:
        """Change plan, overage, destinations and limits of spend of an account. For role ADMIN."""
        return self._data("PATCH", self._path("/admin/accounts/{id}", id), body=body, timeout=timeout)

    def update_carrier(self, id: str, body: Optional[types.UpdateCarrierBody] = None, *, timeout: Optional[float] = None) -> types.Carrier:
        """Change the key, the name, or to whom its numbers are offered and at what price. For role
        ADMIN."""
        return self._data("PATCH", self._path("/admin/carriers/{id}", id), body=body, timeout=timeout)

    def update_inventory(self, phone_number: Union[str, int], body: Optional[types.UpdateInventoryBody] = None, *, timeout: Optional[float] = None) -> types.InventoryNumber:
        """Change trunk or price of a number, owned or not. For role ADMIN."""
        return self._data("PATCH", self._path("/admin/inventory/{phoneNumber}", phone_number), body=body, timeout=timeout)

    def update_settings(self, body: Optional[types.UpdateSettingsBody] = None, *, timeout: Optional[float] = None) -> types.Settings:
        """Change the settings of the installation. For role ADMIN."""
        return self._data("PATCH", "/admin/settings", body=body, timeout=timeout)

    def update_sip_account(self, id: str, body: Optional[types.UpdateSipAccountBody] = None, *, timeout: Optional[float] = None) -> types.SipAccount:
        """Change an account; with another password, or disabled, its phone is unregistered at
        once. For role ADMIN."""
        return self._data("PATCH", self._path("/admin/sip-accounts/{id}", id), body=body, timeout=timeout)

    def update_trunk(self, id: str, body: Optional[types.UpdateTrunkBody] = None, *, timeout: Optional[float] = None) -> types.Trunk:
        """Change a trunk; new credentials register at once. For role ADMIN."""
        return self._data("PATCH", self._path("/admin/trunks/{id}", id), body=body, timeout=timeout)



class Agents(Group):
    def create(self, body: types.CreateAgentBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Agent:
        """Create an agent"""
        return self._data("POST", "/agents", body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def delete(self, id: str, *, timeout: Optional[float] = None) -> types.Agent:
        """Delete an agent (soft)"""
        return self._data("DELETE", self._path("/agents/{id}", id), timeout=timeout)

    def discard_draft(self, id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> List[types.Discarded]:
        """Discard the drafts of the agent. Their versions stay in the lists, and can be brought
        back."""
        return self._data("POST", self._path("/agents/{id}/discard", id), key=idempotency_key, keyed=True, timeout=timeout)

    def get(self, id: str, *, timeout: Optional[float] = None) -> types.Agent:
        """One agent"""
        return self._data("GET", self._path("/agents/{id}", id), timeout=timeout)

    def get_draft(self, id: str, *, timeout: Optional[float] = None) -> List[types.Draft]:
        """Drafts of the agent, each compared with what calls obey"""
        return self._data("GET", self._path("/agents/{id}/draft", id), timeout=timeout)

    def get_version(self, id: str, number: Union[str, int], *, against: Optional[int] = None, timeout: Optional[float] = None) -> types.VersionWithContent:
        """One version of the agent, and what differs from another"""
        return self._data("GET", self._path("/agents/{id}/versions/{number}", id, number), query={"against": against}, timeout=timeout)

    def list(self, *, page: Optional[int] = None, limit: Optional[int] = None, isActive: Optional[bool] = None, timeout: Optional[float] = None) -> Pages[types.Agent]:
        """List agents"""
        return self._pages("/agents", query={"page": page, "limit": limit, "isActive": isActive}, timeout=timeout)

    def list_canaries(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.Canary]:
        """Versions of the agent that led a share of the calls first, newest first"""
        return self._pages(self._path("/agents/{id}/canaries", id), query={"page": page, "limit": limit}, timeout=timeout)

    def list_versions(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, calls: Optional[bool] = None, campaignId: Optional[str] = None, tests: Optional[bool] = None, timeout: Optional[float] = None) -> Pages[types.Version]:
        """Versions of the agent, newest first, and what each has changed. Each change makes a
        version. The newest 200 are kept, or fewer where their texts are longer than 2,000,000
        characters together."""
        return self._pages(self._path("/agents/{id}/versions", id), query={"page": page, "limit": limit, "calls": calls, "campaignId": campaignId, "tests": tests}, timeout=timeout)

    def publish(self, id: str, body: types.PublishAgentBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> List[types.Published]:
        """Publish the drafts of the agent: all of them, or none. Calls obey them from the next one
        on. With `canary` the draft of the agent itself leads a share of the calls first."""
        return self._data("POST", self._path("/agents/{id}/publish", id), body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def restore_version(self, id: str, number: Union[str, int], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Agent:
        """Make the agent what it was in a version. The fields that differ are changed as by a
        PATCH, and a new version is made. Values of headers are in no version."""
        return self._data("POST", self._path("/agents/{id}/versions/{number}/restore", id, number), key=idempotency_key, keyed=True, timeout=timeout)

    def stop_canary(self, id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Canary:
        """Stop the canary of the agent: all calls obey the published version again. Its draft
        stays."""
        return self._data("POST", self._path("/agents/{id}/canary/stop", id), key=idempotency_key, keyed=True, timeout=timeout)

    def update(self, id: str, body: Optional[types.UpdateAgentBody] = None, *, timeout: Optional[float] = None) -> types.Agent:
        """Change an agent"""
        return self._data("PATCH", self._path("/agents/{id}", id), body=body, timeout=timeout)



class Alerts(Group):
    def create_rule(self, body: types.CreateAlertRuleBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.AlertRule:
        """Be told when a figure of the calls is above or below a value; at most 50 rules"""
        return self._data("POST", "/alert-rules", body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def delete_rule(self, id: str, *, timeout: Optional[float] = None) -> types.AlertRule:
        """Delete an alert rule, with what it fired"""
        return self._data("DELETE", self._path("/alert-rules/{id}", id), timeout=timeout)

    def get_rule(self, id: str, *, timeout: Optional[float] = None) -> types.AlertRule:
        """One alert rule"""
        return self._data("GET", self._path("/alert-rules/{id}", id), timeout=timeout)

    def list_firings(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.AlertFiring]:
        """Each time that the rule fired, newest first; kept for 90 days"""
        return self._pages(self._path("/alert-rules/{id}/firings", id), query={"page": page, "limit": limit}, timeout=timeout)

    def list_notices(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, status: Optional[Literal["waiting", "sent", "failed", "dropped"]] = None, timeout: Optional[float] = None) -> Pages[types.NoticeMessage]:
        """Messages of the rule, and how each went; kept for 30 days"""
        return self._pages(self._path("/alert-rules/{id}/notices", id), query={"page": page, "limit": limit, "status": status}, timeout=timeout)

    def list_rules(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.AlertRule]:
        """Alert rules with their figures, newest first"""
        return self._pages("/alert-rules", query={"page": page, "limit": limit}, timeout=timeout)

    def test_rule(self, id: str, body: types.TestAlertRuleBody, *, timeout: Optional[float] = None) -> types.NoticeMessage:
        """Send an example to a recipient of the rule now"""
        return self._data("POST", self._path("/alert-rules/{id}/test", id), body=body, timeout=timeout)

    def update_rule(self, id: str, body: Optional[types.UpdateAlertRuleBody] = None, *, timeout: Optional[float] = None) -> types.AlertRule:
        """Change an alert rule"""
        return self._data("PATCH", self._path("/alert-rules/{id}", id), body=body, timeout=timeout)



class Appointments(Group):
    def create(self, body: types.CreateAppointmentBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Appointment:
        """Book an appointment by hand"""
        return self._data("POST", "/appointments", body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def delete_reminders(self, id: str, *, timeout: Optional[float] = None) -> types.AppointmentReminders:
        """Remind of no appointments any more"""
        return self._data("DELETE", self._path("/businesses/{id}/reminders", id), timeout=timeout)

    def get_free_times(self, id: str, *, from_: Optional[str] = None, to: Optional[str] = None, service: Optional[str] = None, durationMinutes: Optional[int] = None, resource: Optional[str] = None, besides: Optional[str] = None, timeout: Optional[float] = None) -> types.FreeTimes:
        """Times that are free for an appointment"""
        return self._data("GET", self._path("/businesses/{id}/free-times", id), query={"from": from_, "to": to, "service": service, "durationMinutes": durationMinutes, "resource": resource, "besides": besides}, timeout=timeout)

    def get_reminders(self, id: str, *, timeout: Optional[float] = None) -> types.AppointmentReminders:
        """Whether appointments are reminded of by a call"""
        return self._data("GET", self._path("/businesses/{id}/reminders", id), timeout=timeout)

    def list(self, *, page: Optional[int] = None, limit: Optional[int] = None, businessId: Optional[str] = None, callId: Optional[str] = None, status: Optional[Literal["booked", "cancelled"]] = None, phone: Optional[str] = None, resource: Optional[str] = None, agentId: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, timeout: Optional[float] = None) -> Pages[types.Appointment]:
        """List appointments"""
        return self._pages("/appointments", query={"page": page, "limit": limit, "businessId": businessId, "callId": callId, "status": status, "phone": phone, "resource": resource, "agentId": agentId, "from": from_, "to": to}, timeout=timeout)

    def set_reminders(self, id: str, body: types.SetRemindersBody, *, timeout: Optional[float] = None) -> types.AppointmentReminders:
        """Have appointments reminded of by a call"""
        return self._data("PUT", self._path("/businesses/{id}/reminders", id), body=body, timeout=timeout)

    def update(self, id: str, body: Optional[types.UpdateAppointmentBody] = None, *, timeout: Optional[float] = None) -> types.Appointment:
        """Move, cancel or book again"""
        return self._data("PATCH", self._path("/appointments/{id}", id), body=body, timeout=timeout)



class Authentication(Group):
    def accept_invite(self, body: types.AcceptInviteBody, *, timeout: Optional[float] = None) -> types.AcceptedInvite:
        """Accept an invitation: sets the password and verifies the address"""
        return self._data("POST", "/auth/accept-invite", body=body, timeout=timeout)

    def begin_provider_sign_in(self, *, timeout: Optional[float] = None) -> types.BegunSignIn:
        """Begin a sign-in by the identity provider"""
        return self._data("POST", "/auth/provider/begin", timeout=timeout)

    def change_password(self, body: types.ChangePasswordBody, *, timeout: Optional[float] = None) -> types.Session:
        """Set a new password by the old one; all sessions end, the answer is a new one"""
        return self._data("POST", "/auth/change-password", body=body, timeout=timeout)

    def create_access_token(self, body: types.CreateAccessTokenBody, *, timeout: Optional[float] = None) -> types.NewPersonalToken:
        """Create a personal access token; it is shown this one time"""
        return self._data("POST", "/auth/tokens", body=body, timeout=timeout)

    def disable_second_factor(self, body: types.DisableSecondFactorBody, *, timeout: Optional[float] = None) -> types.Message:
        """End two-factor authentication"""
        return self._data("POST", "/auth/2fa/disable", body=body, timeout=timeout)

    def enable_second_factor(self, body: types.EnableSecondFactorBody, *, timeout: Optional[float] = None) -> types.RecoveryCodes:
        """Put two-factor authentication in force by a first code"""
        return self._data("POST", "/auth/2fa/enable", body=body, timeout=timeout)

    def end_other_sessions(self, *, timeout: Optional[float] = None) -> types.EndedSessions:
        """End all sessions of the user but the one that asks"""
        return self._data("DELETE", "/auth/sessions", timeout=timeout)

    def end_session(self, id: str, *, timeout: Optional[float] = None) -> types.OwnSession:
        """End a session of the user"""
        return self._data("DELETE", self._path("/auth/sessions/{id}", id), timeout=timeout)

    def finish_provider_sign_in(self, body: types.FinishProviderSignInBody, *, timeout: Optional[float] = None) -> types.LoginResult:
        """The session of the person whom the identity provider has sent back"""
        return self._data("POST", "/auth/provider/finish", body=body, timeout=timeout)

    def forgot_password(self, body: types.ForgotPasswordBody, *, timeout: Optional[float] = None) -> types.MailMessage:
        """Mail a reset code; the answer is always the same"""
        return self._data("POST", "/auth/forgot-password", body=body, timeout=timeout)

    def get_current_user(self, *, timeout: Optional[float] = None) -> types.User:
        """The user of the token"""
        return self._data("GET", "/auth/me", timeout=timeout)

    def get_sign_in_ways(self, *, timeout: Optional[float] = None) -> types.SignInWays:
        """How people sign in here: by passwords, by an identity provider"""
        return self._data("GET", "/auth/provider", timeout=timeout)

    def list_access_tokens(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.PersonalToken]:
        """Personal access tokens of the user"""
        return self._pages("/auth/tokens", query={"page": page, "limit": limit}, timeout=timeout)

    def list_sessions(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.OwnSession]:
        """Sessions of the user, the last used first"""
        return self._pages("/auth/sessions", query={"page": page, "limit": limit}, timeout=timeout)

    def login(self, body: types.LoginBody, *, timeout: Optional[float] = None) -> types.LoginResult:
        """Sign in"""
        return self._data("POST", "/auth/login", body=body, timeout=timeout)

    def logout(self, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Message:
        """Revoke the presented token and its refresh family"""
        return self._data("POST", "/auth/logout", key=idempotency_key, keyed=True, timeout=timeout)

    def refresh_session(self, body: types.RefreshSessionBody, *, timeout: Optional[float] = None) -> types.TokenPair:
        """Trade a refresh token for a new pair; the old one is revoked"""
        return self._data("POST", "/auth/refresh", body=body, timeout=timeout)

    def register(self, body: types.RegisterBody, *, timeout: Optional[float] = None) -> types.RegisterResult:
        """Create an account with its first user; a verification mail is sent"""
        return self._data("POST", "/auth/register", body=body, timeout=timeout)

    def resend_verification(self, body: types.ResendVerificationBody, *, timeout: Optional[float] = None) -> types.MailMessage:
        """Send another verification mail; the answer is always the same"""
        return self._data("POST", "/auth/resend-verification", body=body, timeout=timeout)

    def reset_password(self, body: types.ResetPasswordBody, *, timeout: Optional[float] = None) -> types.Message:
        """Set a new password by a reset code; all sessions end"""
        return self._data("POST", "/auth/reset-password", body=body, timeout=timeout)

    def revoke_access_token(self, id: str, *, timeout: Optional[float] = None) -> types.PersonalToken:
        """Revoke a personal access token"""
        return self._data("DELETE", self._path("/auth/tokens/{id}", id), timeout=timeout)

    def set_up_second_factor(self, *, timeout: Optional[float] = None) -> types.SecondFactorSetup:
        """Begin to set up two-factor authentication"""
        return self._data("POST", "/auth/2fa/setup", timeout=timeout)

    def verify_email(self, body: types.VerifyEmailBody, *, timeout: Optional[float] = None) -> types.Message:
        """Verify an e-mail address by the token that was mailed"""
        return self._data("POST", "/auth/verify-email", body=body, timeout=timeout)

    def verify_second_factor(self, body: types.VerifySecondFactorBody, *, timeout: Optional[float] = None) -> types.Session:
        """Second step of a login: a TOTP or a recovery code"""
        return self._data("POST", "/auth/verify-2fa", body=body, timeout=timeout)



class Billing(Group):
    def get(self, *, timeout: Optional[float] = None) -> types.BillingAccount:
        """The card that is charged"""
        return self._data("GET", "/account/billing", timeout=timeout)

    def list_charges(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.Charge]:
        """What numbers and minutes cost"""
        return self._pages("/account/charges", query={"page": page, "limit": limit}, timeout=timeout)

    def set_up(self, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.SetupPage:
        """A page of the payment provider on which to add a card"""
        return self._data("POST", "/account/billing/setup", key=idempotency_key, keyed=True, timeout=timeout)



class Businesses(Group):
    def create(self, body: types.CreateBusinessBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Business:
        """Create a business"""
        return self._data("POST", "/businesses", body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def delete(self, id: str, *, timeout: Optional[float] = None) -> types.Business:
        """Delete a business (soft); its active campaigns are paused"""
        return self._data("DELETE", self._path("/businesses/{id}", id), timeout=timeout)

    def delete_hold_music(self, id: str, *, timeout: Optional[float] = None) -> types.HoldMusic:
        """Go back to our own music"""
        return self._data("DELETE", self._path("/businesses/{id}/hold-music", id), timeout=timeout)

    def discard_draft(self, id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> List[types.Discarded]:
        """Discard the drafts of the business, of the agents of its campaigns and of their tools.
        Their versions stay in the lists, and can be brought back."""
        return self._data("POST", self._path("/businesses/{id}/discard", id), key=idempotency_key, keyed=True, timeout=timeout)

    def extract_from_url(self, id: str, body: types.ExtractFromUrlBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.ExtractFromUrlResult:
        """Fill in empty fields from a web page"""
        return self._data("POST", self._path("/businesses/{id}/extract-from-url", id), body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def generate_faqs(self, id: str, body: Optional[types.GenerateFaqsBody] = None, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.GenerateFaqsResult:
        """Fill in questions and answers"""
        return self._data("POST", self._path("/businesses/{id}/generate-faqs", id), body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def generate_services(self, id: str, body: Optional[types.GenerateServicesBody] = None, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.GenerateServicesResult:
        """Fill in services, by the dialogue model or from what is usual in the industry"""
        return self._data("POST", self._path("/businesses/{id}/generate-services", id), body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def get(self, id: str, *, timeout: Optional[float] = None) -> types.Business:
        """One business"""
        return self._data("GET", self._path("/businesses/{id}", id), timeout=timeout)

    def get_draft(self, id: str, *, timeout: Optional[float] = None) -> List[types.Draft]:
        """Drafts of the business, of the agents of its campaigns and of their tools, each compared
        with what calls obey"""
        return self._data("GET", self._path("/businesses/{id}/draft", id), timeout=timeout)

    def get_hold_music(self, id: str, *, timeout: Optional[float] = None) -> types.HoldMusic:
        """What callers hear while a person is looked for: the business’s own music, or ours"""
        return self._data("GET", self._path("/businesses/{id}/hold-music", id), timeout=timeout)

    def get_hold_music_audio(self, id: str, *, timeout: Optional[float] = None) -> Answer:
        """It as callers hear it, audio/wav"""
        return self._file("GET", self._path("/businesses/{id}/hold-music/audio", id), timeout=timeout)

    def get_version(self, id: str, number: Union[str, int], *, against: Optional[int] = None, timeout: Optional[float] = None) -> types.VersionWithContent:
        """One version of the business, and what differs from another"""
        return self._data("GET", self._path("/businesses/{id}/versions/{number}", id, number), query={"against": against}, timeout=timeout)

    def list(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.Business]:
        """List businesses"""
        return self._pages("/businesses", query={"page": page, "limit": limit}, timeout=timeout)

    def list_audit_log(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.BusinessAuditEntry]:
        """Who changed what"""
        return self._pages(self._path("/businesses/{id}/audit-log", id), query={"page": page, "limit": limit}, timeout=timeout)

    def list_canaries(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.Canary]:
        """Versions of the business that led a share of the calls first, newest first"""
        return self._pages(self._path("/businesses/{id}/canaries", id), query={"page": page, "limit": limit}, timeout=timeout)

    def list_notices(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, status: Optional[Literal["waiting", "sent", "failed", "dropped"]] = None, timeout: Optional[float] = None) -> Pages[types.NoticeMessage]:
        """Who was told of what happened on calls, and how it went; kept for 30 days"""
        return self._pages(self._path("/businesses/{id}/notices", id), query={"page": page, "limit": limit, "status": status}, timeout=timeout)

    def list_versions(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, calls: Optional[bool] = None, campaignId: Optional[str] = None, tests: Optional[bool] = None, timeout: Optional[float] = None) -> Pages[types.Version]:
        """Versions of the business, newest first, and what each has changed. Each change makes a
        version. The newest 200 are kept, or fewer where their texts are longer than 2,000,000
        characters together."""
        return self._pages(self._path("/businesses/{id}/versions", id), query={"page": page, "limit": limit, "calls": calls, "campaignId": campaignId, "tests": tests}, timeout=timeout)

    def publish(self, id: str, body: types.PublishBusinessBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> List[types.Published]:
        """Publish the drafts of the business, of the agents of its campaigns and of their tools:
        all of them, or none. Calls obey them from the next one on. With `canary` the draft of
        the business itself leads a share of the calls first."""
        return self._data("POST", self._path("/businesses/{id}/publish", id), body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def put_hold_music(self, id: str, body: bytes, *, timeout: Optional[float] = None) -> types.HoldMusic:
        """Bring hold music: a WAV of 16-bit PCM, 2 to 120 s, at any rate, mono or stereo"""
        return self._data("PUT", self._path("/businesses/{id}/hold-music", id), body=body, media="audio/wav", timeout=timeout)

    def read_site(self, body: types.ReadSiteBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Site:
        """Read a business from its web site. Reads the page and those that its menu calls contact,
        opening hours, prices and questions. Nothing is stored. Each value comes with the words
        that say it; what no page says is not there."""
        return self._data("POST", "/businesses/read-site", body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def restore(self, id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Business:
        """Restore a deleted business, within 90 days"""
        return self._data("POST", self._path("/businesses/{id}/restore", id), key=idempotency_key, keyed=True, timeout=timeout)

    def restore_version(self, id: str, number: Union[str, int], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Business:
        """Make the business what it was in a version. The fields that differ are changed as by a
        PATCH, and a new version is made. Values of headers are in no version."""
        return self._data("POST", self._path("/businesses/{id}/versions/{number}/restore", id, number), key=idempotency_key, keyed=True, timeout=timeout)

    def stop_canary(self, id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Canary:
        """Stop the canary of the business: all calls obey the published version again. Its draft
        stays."""
        return self._data("POST", self._path("/businesses/{id}/canary/stop", id), key=idempotency_key, keyed=True, timeout=timeout)

    def test_notice(self, id: str, body: types.TestNoticeBody, *, timeout: Optional[float] = None) -> types.NoticeMessage:
        """Send an example by a rule of notify now"""
        return self._data("POST", self._path("/businesses/{id}/notices/test", id), body=body, timeout=timeout)

    def update(self, id: str, body: Optional[types.UpdateBusinessBody] = None, *, timeout: Optional[float] = None) -> types.Business:
        """Change a business; arrays are replaced whole"""
        return self._data("PATCH", self._path("/businesses/{id}", id), body=body, timeout=timeout)



class Calendars(Group):
    def begin_sign_in(self, body: types.BeginCalendarSignInBody, *, timeout: Optional[float] = None) -> types.CalendarSignIn:
        """Begin to sign in to Google or Microsoft, for a calendar there"""
        return self._data("POST", "/calendar-sign-ins", body=body, timeout=timeout)

    def connect(self, id: str, body: types.ConnectCalendarBody, *, timeout: Optional[float] = None) -> types.Calendar:
        """Connect a calendar: it is read at once"""
        return self._data("POST", self._path("/businesses/{id}/calendars", id), body=body, timeout=timeout)

    def delete_feed(self, id: str, *, timeout: Optional[float] = None) -> types.CalendarFeed:
        """Take the secret address back"""
        return self._data("DELETE", self._path("/businesses/{id}/calendar-feed", id), timeout=timeout)

    def finish_sign_in(self, id: str, body: types.FinishCalendarSignInBody, *, timeout: Optional[float] = None) -> types.CalendarSignIn:
        """Hand over what Google sent back to the browser"""
        return self._data("POST", self._path("/calendar-sign-ins/{id}/code", id), body=body, timeout=timeout)

    def get_accounts(self, *, timeout: Optional[float] = None) -> types.CalendarAccounts:
        """Where somebody can sign in for a calendar"""
        return self._data("GET", "/calendar-sign-ins", timeout=timeout)

    def get_feed(self, id: str, *, timeout: Optional[float] = None) -> types.CalendarFeed:
        """Whether the appointments can be read as a calendar, at a secret address"""
        return self._data("GET", self._path("/businesses/{id}/calendar-feed", id), timeout=timeout)

    def get_sign_in(self, id: str, *, timeout: Optional[float] = None) -> types.CalendarSignIn:
        """Whether somebody has signed in, and the calendars there"""
        return self._data("GET", self._path("/calendar-sign-ins/{id}", id), timeout=timeout)

    def list(self, id: str, *, timeout: Optional[float] = None) -> List[types.Calendar]:
        """Calendars that appointments are booked around, in the order in which they were connected"""
        return self._data("GET", self._path("/businesses/{id}/calendars", id), timeout=timeout)

    def make_feed(self, id: str, body: Optional[types.MakeCalendarFeedBody] = None, *, timeout: Optional[float] = None) -> types.CalendarFeed:
        """Make the secret address, or another one in its place"""
        return self._data("POST", self._path("/businesses/{id}/calendar-feed", id), body=body, timeout=timeout)

    def read_feed(self, id: str, *, token: Optional[str] = None, resource: Optional[str] = None, timeout: Optional[float] = None) -> Answer:
        """The appointments as a calendar (RFC 5545), for those who subscribe to its secret address"""
        return self._file("GET", self._path("/businesses/{id}/calendar.ics", id), query={"token": token, "resource": resource}, timeout=timeout)

    def refresh(self, id: str, calendar_id: Union[str, int], *, timeout: Optional[float] = None) -> types.Calendar:
        """Read a calendar now"""
        return self._data("POST", self._path("/businesses/{id}/calendars/{calendarId}/refresh", id, calendar_id), timeout=timeout)

    def remove(self, id: str, calendar_id: Union[str, int], *, timeout: Optional[float] = None) -> types.Calendar:
        """Take a calendar out; what was written there stays there"""
        return self._data("DELETE", self._path("/businesses/{id}/calendars/{calendarId}", id, calendar_id), timeout=timeout)

    def update(self, id: str, calendar_id: Union[str, int], body: Optional[types.UpdateCalendarBody] = None, *, timeout: Optional[float] = None) -> types.Calendar:
        """Change what a calendar is for, or what opens it"""
        return self._data("PATCH", self._path("/businesses/{id}/calendars/{calendarId}", id, calendar_id), body=body, timeout=timeout)



class Calls(Group):
    def control(self, id: str, body: types.ControlCallBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.CallControl:
        """Do something to a running call. Answered once it is done. 409 says why it cannot be
        done; an entry of the audit log of the business says who asked for what."""
        return self._data("POST", self._path("/calls/{id}/control", id), body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def end(self, id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Call:
        """End a call at once, or cancel a scheduled one"""
        return self._data("POST", self._path("/calls/{id}/end", id), key=idempotency_key, keyed=True, timeout=timeout)

    def erase(self, id: str, *, timeout: Optional[float] = None) -> types.Call:
        """Erase what is personal of a call that has ended. Recording, transcript, summary, names,
        numbers, variables and metadata are gone afterwards, also from the log of deliveries.
        Ids, times, duration, status and an entry in the audit log of the business remain."""
        return self._data("DELETE", self._path("/calls/{id}", id), timeout=timeout)

    def export(self, *, direction: Optional[Literal["inbound", "outbound"]] = None, status: Optional[Literal["RINGING", "IN_PROGRESS", "COMPLETED", "FAILED", "VOICEMAIL", "SCHEDULED"]] = None, outcome: Optional[str] = None, sentiment: Optional[Literal["positive", "neutral", "negative"]] = None, businessId: Optional[str] = None, campaignId: Optional[str] = None, agentId: Optional[str] = None, phoneNumberId: Optional[str] = None, startDate: Optional[str] = None, endDate: Optional[str] = None, minScore: Optional[float] = None, maxScore: Optional[float] = None, disposition: Optional[str] = None, forwardedFrom: Optional[str] = None, problem: Optional[Literal["misheard", "wrong_answer", "too_slow", "interrupted", "other", "any"]] = None, number: Optional[str] = None, timeout: Optional[float] = None) -> Answer:
        """All calls that match, as CSV, newest first, with a column for each output.
        `output.NAME=value` is a parameter too, for each output of your businesses and campaigns
        that is no list and no object: calls with exactly this value. At most five of them."""
        return self._file("GET", "/calls/export", query={"direction": direction, "status": status, "outcome": outcome, "sentiment": sentiment, "businessId": businessId, "campaignId": campaignId, "agentId": agentId, "phoneNumberId": phoneNumberId, "startDate": startDate, "endDate": endDate, "minScore": minScore, "maxScore": maxScore, "disposition": disposition, "forwardedFrom": forwardedFrom, "problem": problem, "number": number}, timeout=timeout)

    def get(self, id: str, *, timeout: Optional[float] = None) -> types.Call:
        """One call"""
        return self._data("GET", self._path("/calls/{id}", id), timeout=timeout)

    def get_recording(self, id: str, *, timeout: Optional[float] = None) -> Answer:
        """The recording: stereo, the caller left, the agent right. Honours `Range`, `If-Range` and
        `If-None-Match` by `ETag`: the WAV may become an MP3. 404 until there is a recording."""
        return self._file("GET", self._path("/calls/{id}/audio", id), timeout=timeout)

    def get_timeline_picture(self, id: str, *, timeout: Optional[float] = None) -> Answer:
        """A picture of the call: who spoke when, response gaps with their stages, interruptions.
        404 until the call has ended."""
        return self._file("GET", self._path("/calls/{id}/timeline.svg", id), timeout=timeout)

    def get_transcript(self, id: str, *, timeout: Optional[float] = None) -> List[types.TranscriptEntry]:
        """What was said; of a running call, so far"""
        return self._data("GET", self._path("/calls/{id}/transcript", id), timeout=timeout)

    def list(self, *, page: Optional[int] = None, limit: Optional[int] = None, direction: Optional[Literal["inbound", "outbound"]] = None, status: Optional[Literal["RINGING", "IN_PROGRESS", "COMPLETED", "FAILED", "VOICEMAIL", "SCHEDULED"]] = None, outcome: Optional[str] = None, sentiment: Optional[Literal["positive", "neutral", "negative"]] = None, businessId: Optional[str] = None, campaignId: Optional[str] = None, agentId: Optional[str] = None, phoneNumberId: Optional[str] = None, startDate: Optional[str] = None, endDate: Optional[str] = None, minScore: Optional[float] = None, maxScore: Optional[float] = None, disposition: Optional[str] = None, forwardedFrom: Optional[str] = None, problem: Optional[Literal["misheard", "wrong_answer", "too_slow", "interrupted", "other", "any"]] = None, number: Optional[str] = None, sort: Optional[Literal["-startedAt", "startedAt", "-score", "score"]] = None, timeout: Optional[float] = None) -> Pages[types.Call]:
        """List calls. `output.NAME=value` is a parameter too, for each output of your businesses
        and campaigns that is no list and no object: calls with exactly this value. At most five
        of them."""
        return self._pages("/calls", query={"page": page, "limit": limit, "direction": direction, "status": status, "outcome": outcome, "sentiment": sentiment, "businessId": businessId, "campaignId": campaignId, "agentId": agentId, "phoneNumberId": phoneNumberId, "startDate": startDate, "endDate": endDate, "minScore": minScore, "maxScore": maxScore, "disposition": disposition, "forwardedFrom": forwardedFrom, "problem": problem, "number": number, "sort": sort}, timeout=timeout)

    def list_events(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.CallEvent]:
        """What happened on a call, newest first, and whether each webhook has it. Also the events
        of appointments that it booked. Events are kept as long as the log of deliveries."""
        return self._pages(self._path("/calls/{id}/events", id), query={"page": page, "limit": limit}, timeout=timeout)

    def list_live(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.Call]:
        """Running calls"""
        return self._pages("/live", query={"page": page, "limit": limit}, timeout=timeout)

    def listen_to(self, id: str, *, timeout: Optional[float] = None) -> types.Listening:
        """Listen to a running call. The socket sends binary PCM16 stereo at 16 kHz, 20 ms at a
        time, the caller left and the agent right, and JSON text as that of a browser call.
        `{type: mode, mode: listen | whisper | take-over}` to it says what the microphone is
        for."""
        return self._data("POST", self._path("/calls/{id}/listen", id), timeout=timeout)

    def mark_problem(self, id: str, timestamp: Union[str, int], body: types.MarkCallProblemBody, *, timeout: Optional[float] = None) -> types.CallProblem:
        """Say what was wrong with a line of a call. In place of what was said of the line before.
        `GET /calls?problem=KIND` lists such calls. It goes with the call when that is erased."""
        return self._data("PUT", self._path("/calls/{id}/problems/{timestamp}", id, timestamp), body=body, timeout=timeout)

    def place(self, body: types.PlaceCallBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Call:
        """Place a call; it is dialled within about 2 seconds. With `scheduledAt` it is placed
        then, within about 2 seconds, or up to 15 minutes later where there is no room. Until
        then it has the status SCHEDULED; `GET /calls?status=SCHEDULED` lists such calls, `POST
        /calls/:id/end` cancels one."""
        return self._data("POST", "/calls", body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def place_web(self, body: types.PlaceWebCallBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.WebCall:
        """Begin a call from a browser. The socket carries binary PCM16 mono 16 kHz both ways and
        JSON text: `{type: transcript, speaker, text, timestamp}` or `{type: state, state}`."""
        return self._data("POST", "/calls/web", body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def stream(self, id: str, *, timeout: Optional[float] = None) -> Iterator[Dict[str, Any]]:
        """The call as it goes, as server-sent events. Events `transcript`, `state`, `latency` and
        `ended`; what was said before comes first, and the stream ends with the call. Send
        `Last-Event-ID` to go on where it broke off. The event `words` says what is being said
        right now, `{said: [{speaker, text, timestamp}]}`, some three times a second; each takes
        the place of the one before, and the `transcript` event with the same speaker and
        timestamp has the whole sentence."""
        return self._events(self._path("/calls/{id}/stream", id), timeout=timeout)

    def unmark_problem(self, id: str, timestamp: Union[str, int], *, timeout: Optional[float] = None) -> types.CallProblem:
        """Take back what was said of a line of a call"""
        return self._data("DELETE", self._path("/calls/{id}/problems/{timestamp}", id, timestamp), timeout=timeout)



class Campaigns(Group):
    def create(self, body: types.CreateCampaignBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Campaign:
        """Create a campaign"""
        return self._data("POST", "/campaigns", body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def delete(self, id: str, *, timeout: Optional[float] = None) -> types.Campaign:
        """Delete a campaign (soft); not while it is active"""
        return self._data("DELETE", self._path("/campaigns/{id}", id), timeout=timeout)

    def get(self, id: str, *, timeout: Optional[float] = None) -> types.CampaignDetails:
        """One campaign"""
        return self._data("GET", self._path("/campaigns/{id}", id), timeout=timeout)

    def get_stats(self, id: str, *, timeout: Optional[float] = None) -> types.CampaignStats:
        """Stats of a campaign"""
        return self._data("GET", self._path("/campaigns/{id}/stats", id), timeout=timeout)

    def list(self, *, page: Optional[int] = None, limit: Optional[int] = None, status: Optional[Literal["DRAFT", "SCHEDULED", "RUNNING", "PAUSED", "COMPLETED", "FAILED"]] = None, agentId: Optional[str] = None, timeout: Optional[float] = None) -> Pages[types.Campaign]:
        """List campaigns"""
        return self._pages("/campaigns", query={"page": page, "limit": limit, "status": status, "agentId": agentId}, timeout=timeout)

    def list_calls(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, direction: Optional[Literal["inbound", "outbound"]] = None, status: Optional[Literal["RINGING", "IN_PROGRESS", "COMPLETED", "FAILED", "VOICEMAIL", "SCHEDULED"]] = None, outcome: Optional[str] = None, sentiment: Optional[Literal["positive", "neutral", "negative"]] = None, businessId: Optional[str] = None, campaignId: Optional[str] = None, agentId: Optional[str] = None, phoneNumberId: Optional[str] = None, startDate: Optional[str] = None, endDate: Optional[str] = None, minScore: Optional[float] = None, maxScore: Optional[float] = None, disposition: Optional[str] = None, forwardedFrom: Optional[str] = None, problem: Optional[Literal["misheard", "wrong_answer", "too_slow", "interrupted", "other", "any"]] = None, number: Optional[str] = None, sort: Optional[Literal["-startedAt", "startedAt", "-score", "score"]] = None, timeout: Optional[float] = None) -> Pages[types.Call]:
        """Calls of a campaign. `output.NAME=value` is a parameter too, for each output of your
        businesses and campaigns that is no list and no object: calls with exactly this value.
        At most five of them."""
        return self._pages(self._path("/campaigns/{id}/calls", id), query={"page": page, "limit": limit, "direction": direction, "status": status, "outcome": outcome, "sentiment": sentiment, "businessId": businessId, "campaignId": campaignId, "agentId": agentId, "phoneNumberId": phoneNumberId, "startDate": startDate, "endDate": endDate, "minScore": minScore, "maxScore": maxScore, "disposition": disposition, "forwardedFrom": forwardedFrom, "problem": problem, "number": number, "sort": sort}, timeout=timeout)

    def pause(self, id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Campaign:
        """Pause: RUNNING or SCHEDULED become PAUSED"""
        return self._data("POST", self._path("/campaigns/{id}/pause", id), key=idempotency_key, keyed=True, timeout=timeout)

    def preview(self, id: str, body: Optional[types.PreviewCampaignBody] = None, *, timeout: Optional[float] = None) -> types.CampaignPreview:
        """What a call of the campaign would say; nothing is called or stored"""
        return self._data("POST", self._path("/campaigns/{id}/preview", id), body=body, timeout=timeout)

    def resume(self, id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.StartedCampaign:
        """Resume: PAUSED becomes RUNNING, or SCHEDULED where scheduledAt lies ahead"""
        return self._data("POST", self._path("/campaigns/{id}/resume", id), key=idempotency_key, keyed=True, timeout=timeout)

    def start(self, id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.StartedCampaign:
        """Start: DRAFT, SCHEDULED or FAILED become RUNNING"""
        return self._data("POST", self._path("/campaigns/{id}/start", id), key=idempotency_key, keyed=True, timeout=timeout)

    def update(self, id: str, body: Optional[types.UpdateCampaignBody] = None, *, timeout: Optional[float] = None) -> types.Campaign:
        """Change a campaign"""
        return self._data("PATCH", self._path("/campaigns/{id}", id), body=body, timeout=timeout)



class Contacts(Group):
    def add(self, id: str, body: Union[types.AddContactsBody, str], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.AddedContacts:
        """Add contacts, at most 1,000; all or nothing, merged by number. Also as a table,
        `Content-Type: text/csv` in UTF-8 (or Windows-1252, as spreadsheets on Windows write
        it): the first row names the columns, behind a line `sep=;` if there is one. The column
        with numbers in E.164 has the number (blanks and brackets in it do no harm), `name` and
        `email` are themselves, names that begin or end with `id` become metadata, and all
        others variables: `Due date` is `dueDate`. A row with more cells than the first is
        refused. Errors count the rows from the one under the names: `contacts[0]`."""
        return self._data("POST", self._path("/campaigns/{id}/contacts", id), body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def list(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, status: Optional[Literal["PENDING", "CALLING", "COMPLETED", "FAILED", "VOICEMAIL", "DO_NOT_CALL"]] = None, timeout: Optional[float] = None) -> Pages[types.Contact]:
        """Contacts of a campaign"""
        return self._pages(self._path("/campaigns/{id}/contacts", id), query={"page": page, "limit": limit, "status": status}, timeout=timeout)

    def remove(self, id: str, contact_id: Union[str, int], *, timeout: Optional[float] = None) -> types.Contact:
        """Remove a contact"""
        return self._data("DELETE", self._path("/campaigns/{id}/contacts/{contactId}", id, contact_id), timeout=timeout)

    def search(self, *, search: Optional[str] = None, timeout: Optional[float] = None) -> List[types.FoundContact]:
        """Find contacts of all campaigns by a part of their name or number: at most ten. Of an
        account with more than 20,000 contacts, so many are looked at."""
        return self._data("GET", "/contacts", query={"search": search}, timeout=timeout)



class Conversations(Group):
    def begin(self, body: types.BeginConversationBody, *, timeout: Optional[float] = None) -> types.Conversation:
        """Begin a chat with an agent, or open the conversation with a person"""
        return self._data("POST", "/conversations", body=body, timeout=timeout)

    def erase(self, id: str, *, timeout: Optional[float] = None) -> types.Conversation:
        """Erase a conversation"""
        return self._data("DELETE", self._path("/conversations/{id}", id), timeout=timeout)

    def erase_with(self, phone_number: Union[str, int], *, timeout: Optional[float] = None) -> types.ErasedConversations:
        """Erase all conversations with a person"""
        return self._data("DELETE", self._path("/conversations/with/{phoneNumber}", phone_number), timeout=timeout)

    def get(self, id: str, *, timeout: Optional[float] = None) -> types.Conversation:
        """One conversation"""
        return self._data("GET", self._path("/conversations/{id}", id), timeout=timeout)

    def list(self, *, page: Optional[int] = None, limit: Optional[int] = None, kind: Optional[Literal["sms", "chat", "web"]] = None, answeredBy: Optional[Literal["agent", "person"]] = None, businessId: Optional[str] = None, personNumber: Optional[str] = None, timeout: Optional[float] = None) -> Pages[types.Conversation]:
        """List conversations in writing, the one written in last first"""
        return self._pages("/conversations", query={"page": page, "limit": limit, "kind": kind, "answeredBy": answeredBy, "businessId": businessId, "personNumber": personNumber}, timeout=timeout)

    def list_messages(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.ConversationMessage]:
        """Its messages, newest first"""
        return self._pages(self._path("/conversations/{id}/messages", id), query={"page": page, "limit": limit}, timeout=timeout)

    def update(self, id: str, body: Optional[types.UpdateConversationBody] = None, *, timeout: Optional[float] = None) -> types.Conversation:
        """Take it over from the agent, or give it back"""
        return self._data("PATCH", self._path("/conversations/{id}", id), body=body, timeout=timeout)

    def write_message(self, id: str, body: types.WriteMessageBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.ConversationMessage:
        """Write to the person, by which you take the conversation over; in a chat, to the agent"""
        return self._data("POST", self._path("/conversations/{id}/messages", id), body=body, key=idempotency_key, keyed=True, timeout=timeout)



class Costs(Group):
    def create_price(self, body: types.CreatePriceBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Price:
        """Add a price; it takes the place of an older one like it for calls that begin from then
        on. For role ADMIN."""
        return self._data("POST", "/admin/prices", body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def delete_price(self, id: str, *, timeout: Optional[float] = None) -> types.Price:
        """Delete a price; calls that were priced by it keep what they cost. For role ADMIN."""
        return self._data("DELETE", self._path("/admin/prices/{id}", id), timeout=timeout)

    def export(self, *, from_: Optional[str] = None, to: Optional[str] = None, businessId: Optional[str] = None, campaignId: Optional[str] = None, agentId: Optional[str] = None, by: Optional[Literal["day", "business", "campaign", "agent"]] = None, timeout: Optional[float] = None) -> Answer:
        """The same as CSV"""
        return self._file("GET", "/costs/export", query={"from": from_, "to": to, "businessId": businessId, "campaignId": campaignId, "agentId": agentId, "by": by}, timeout=timeout)

    def export_all(self, *, from_: Optional[str] = None, to: Optional[str] = None, businessId: Optional[str] = None, campaignId: Optional[str] = None, agentId: Optional[str] = None, accountId: Optional[str] = None, by: Optional[Literal["day", "account", "business", "campaign", "agent"]] = None, timeout: Optional[float] = None) -> Answer:
        """The same as CSV. For role ADMIN."""
        return self._file("GET", "/admin/costs/export", query={"from": from_, "to": to, "businessId": businessId, "campaignId": campaignId, "agentId": agentId, "accountId": accountId, "by": by}, timeout=timeout)

    def export_trunk_prices(self, *, trunkId: Optional[str] = None, direction: Optional[Literal["inbound", "outbound"]] = None, timeout: Optional[float] = None) -> Answer:
        """Prices of trunks as CSV. For role ADMIN."""
        return self._file("GET", "/admin/prices/export", query={"trunkId": trunkId, "direction": direction}, timeout=timeout)

    def get(self, id: str, *, timeout: Optional[float] = None) -> types.Cost:
        """What any call or conversation cost, line by line. For role ADMIN."""
        return self._data("GET", self._path("/admin/costs/{id}", id), timeout=timeout)

    def get_all_sums(self, *, from_: Optional[str] = None, to: Optional[str] = None, businessId: Optional[str] = None, campaignId: Optional[str] = None, agentId: Optional[str] = None, accountId: Optional[str] = None, by: Optional[Literal["day", "account", "business", "campaign", "agent"]] = None, timeout: Optional[float] = None) -> types.CostSums:
        """Sums of what all calls cost the installation. For role ADMIN."""
        return self._data("GET", "/admin/costs", query={"from": from_, "to": to, "businessId": businessId, "campaignId": campaignId, "agentId": agentId, "accountId": accountId, "by": by}, timeout=timeout)

    def get_call(self, id: str, *, timeout: Optional[float] = None) -> types.Cost:
        """What a call cost the installation, line by line; where the account is shown costs"""
        return self._data("GET", self._path("/calls/{id}/cost", id), timeout=timeout)

    def get_price(self, id: str, *, timeout: Optional[float] = None) -> types.Price:
        """One price. For role ADMIN."""
        return self._data("GET", self._path("/admin/prices/{id}", id), timeout=timeout)

    def get_sums(self, *, from_: Optional[str] = None, to: Optional[str] = None, businessId: Optional[str] = None, campaignId: Optional[str] = None, agentId: Optional[str] = None, by: Optional[Literal["day", "business", "campaign", "agent"]] = None, timeout: Optional[float] = None) -> types.CostSums:
        """Sums of what the account’s calls cost the installation; where the account is shown costs"""
        return self._data("GET", "/costs", query={"from": from_, "to": to, "businessId": businessId, "campaignId": campaignId, "agentId": agentId, "by": by}, timeout=timeout)

    def import_trunk_prices(self, body: Union[types.ImportTrunkPricesBody, str], *, trunkId: Optional[Union[str, None]] = None, direction: Optional[Literal["inbound", "outbound"]] = None, currency: Optional[str] = None, validFrom: Optional[str] = None, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.AddedPrices:
        """Add the prices of a trunk, at most 20,000; all or nothing. For role ADMIN. Also as a
        table, `Content-Type: text/csv`, with the other fields as parameters. The first row
        names the columns: `prefix` (+49, 49 or 0049; empty for any number) and `perMinute`,
        perhaps `connectionFee` and `increment`; others are left out. Errors count the rows from
        the one under the names: `prices[0]`."""
        return self._data("POST", "/admin/prices/import", body=body, query={"trunkId": trunkId, "direction": direction, "currency": currency, "validFrom": validFrom}, key=idempotency_key, keyed=True, timeout=timeout)

    def list_prices(self, *, page: Optional[int] = None, limit: Optional[int] = None, kind: Optional[Literal["llm", "speech_to_speech", "stt", "tts", "trunk"]] = None, trunkId: Optional[str] = None, direction: Optional[Literal["inbound", "outbound"]] = None, timeout: Optional[float] = None) -> Pages[types.Price]:
        """Prices of models and trunks, newest first. For role ADMIN."""
        return self._pages("/admin/prices", query={"page": page, "limit": limit, "kind": kind, "trunkId": trunkId, "direction": direction}, timeout=timeout)



class DoNotCall(Group):
    def add(self, body: types.AddDoNotCallBody, *, timeout: Optional[float] = None) -> types.DoNotCallEntry:
        """List a number; 200 where it is listed already"""
        return self._data("POST", "/do-not-call", body=body, timeout=timeout)

    def list(self, *, page: Optional[int] = None, limit: Optional[int] = None, phoneNumber: Optional[str] = None, timeout: Optional[float] = None) -> Pages[types.DoNotCallEntry]:
        """Numbers that must not be called"""
        return self._pages("/do-not-call", query={"page": page, "limit": limit, "phoneNumber": phoneNumber}, timeout=timeout)

    def remove(self, phone_number: Union[str, int], *, timeout: Optional[float] = None) -> types.DoNotCallEntry:
        """Take a number off the list"""
        return self._data("DELETE", self._path("/do-not-call/{phoneNumber}", phone_number), timeout=timeout)



class Knowledge(Group):
    def add(self, id: str, body: types.AddDocumentBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Document:
        """Add a document; calls are answered from it at once"""
        return self._data("POST", self._path("/businesses/{id}/documents", id), body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def delete(self, id: str, document_id: Union[str, int], *, timeout: Optional[float] = None) -> types.Document:
        """Delete a document with every word of it"""
        return self._data("DELETE", self._path("/businesses/{id}/documents/{documentId}", id, document_id), timeout=timeout)

    def get(self, id: str, document_id: Union[str, int], *, timeout: Optional[float] = None) -> types.Document:
        """One document"""
        return self._data("GET", self._path("/businesses/{id}/documents/{documentId}", id, document_id), timeout=timeout)

    def list(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.Document]:
        """Documents of a business, newest first"""
        return self._pages(self._path("/businesses/{id}/documents", id), query={"page": page, "limit": limit}, timeout=timeout)

    def refresh(self, id: str, document_id: Union[str, int], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Document:
        """Read a document from its address now; where that fails, `error` says why and the
        document stays"""
        return self._data("POST", self._path("/businesses/{id}/documents/{documentId}/refresh", id, document_id), key=idempotency_key, keyed=True, timeout=timeout)

    def search(self, id: str, body: types.SearchDocumentsBody, *, timeout: Optional[float] = None) -> List[types.Passage]:
        """What an agent would find for a question, the best first"""
        return self._data("POST", self._path("/businesses/{id}/documents/search", id), body=body, timeout=timeout)

    def upload(self, id: str, file: File, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None, **fields: str) -> types.Document:
        """Add a document as a file"""
        return self._data("POST", self._path("/businesses/{id}/documents/upload", id), form=(file, fields), key=idempotency_key, keyed=True, timeout=timeout)



class Models(Group):
    def download(self, name: Union[str, int], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Model:
        """Download the weights of a model. For role ADMIN."""
        return self._data("POST", self._path("/admin/models/{name}/download", name), key=idempotency_key, keyed=True, timeout=timeout)

    def get(self, name: Union[str, int], *, kind: Optional[Literal["vad", "stt", "tts", "llm", "speech-to-speech"]] = None, timeout: Optional[float] = None) -> types.Model:
        """One model, with the progress of its download. For role ADMIN."""
        return self._data("GET", self._path("/admin/models/{name}", name), query={"kind": kind}, timeout=timeout)

    def get_kit(self, language: Union[str, int], *, timeout: Optional[float] = None) -> types.ModelKit:
        """Ears and a voice for a language, for this machine. For role ADMIN."""
        return self._data("GET", self._path("/admin/model-kits/{language}", language), timeout=timeout)

    def get_settings(self, *, timeout: Optional[float] = None) -> types.GetModelSettingsResult:
        """Which engine listens, thinks and speaks. For role ADMIN."""
        return self._data("GET", "/admin/model-settings", timeout=timeout)

    def list(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.Model]:
        """What can listen, think and speak here. For role ADMIN."""
        return self._pages("/admin/models", query={"page": page, "limit": limit}, timeout=timeout)

    def test_settings(self, kind: Union[str, int], body: Optional[types.TestModelSettingsBody] = None, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.ModelTestResult:
        """Try settings of an engine without saving them. For role ADMIN. Takes what a change would
        take. It may take half a minute."""
        return self._data("POST", self._path("/admin/model-settings/{kind}/test", kind), body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def update_settings(self, kind: Union[str, int], body: Optional[types.UpdateModelSettingsBody] = None, *, timeout: Optional[float] = None) -> types.ModelSettings:
        """Change an engine, for the next calls. For role ADMIN. A change of the engine empties the
        fields that the body does not give, but for `llm`. Of `speech-to-speech` the engine
        null, or `cascade`, lets recogniser, dialogue model and voice answer. Running calls keep
        the engine with which they began."""
        return self._data("PATCH", self._path("/admin/model-settings/{kind}", kind), body=body, timeout=timeout)



class PhoneNumbers(Group):
    def get(self, id: str, *, timeout: Optional[float] = None) -> types.PhoneNumber:
        """One number"""
        return self._data("GET", self._path("/phone-numbers/{id}", id), timeout=timeout)

    def list(self, *, campaignId: Optional[str] = None, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.PhoneNumber]:
        """The numbers of the account"""
        return self._pages("/phone-numbers", query={"campaignId": campaignId, "page": page, "limit": limit}, timeout=timeout)

    def purchase(self, body: types.PurchaseNumberBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.PhoneNumber:
        """Buy a number that the search offered"""
        return self._data("POST", "/phone-numbers/purchase", body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def release(self, id: str, *, timeout: Optional[float] = None) -> types.ReleasedNumber:
        """Release a number to the carrier, for ever; calls on it finish first"""
        return self._data("DELETE", self._path("/phone-numbers/{id}", id), timeout=timeout)

    def search(self, *, country: Optional[str] = None, areaCode: Optional[str] = None, type: Optional[Literal["local", "mobile", "toll_free"]] = None, capabilities: Optional[str] = None, timeout: Optional[float] = None) -> List[types.NumberOffer]:
        """Find free numbers; each is reserved for about 5 minutes"""
        return self._data("GET", "/phone-numbers/search", query={"country": country, "areaCode": areaCode, "type": type, "capabilities": capabilities}, timeout=timeout)

    def update(self, id: str, body: Optional[types.UpdatePhoneNumberBody] = None, *, timeout: Optional[float] = None) -> types.PhoneNumber:
        """Assign a number to a campaign, or take it in or out of service"""
        return self._data("PATCH", self._path("/phone-numbers/{id}", id), body=body, timeout=timeout)



class PortIn(Group):
    def cancel(self, id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.PortOrder:
        """Cancel a port order that is not completed"""
        return self._data("POST", self._path("/phone-numbers/port-in/{id}/cancel", id), key=idempotency_key, keyed=True, timeout=timeout)

    def create(self, body: types.CreatePortOrderBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.PortOrder:
        """Start to bring a number along from another carrier"""
        return self._data("POST", "/phone-numbers/port-in", body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def download_port_document(self, id: str, document_id: Union[str, int], *, timeout: Optional[float] = None) -> Answer:
        """A document of a port order, as it was uploaded. For role ADMIN."""
        return self._file("GET", self._path("/admin/port-orders/{id}/documents/{documentId}", id, document_id), timeout=timeout)

    def get(self, id: str, *, timeout: Optional[float] = None) -> types.PortOrder:
        """One port order"""
        return self._data("GET", self._path("/phone-numbers/port-in/{id}", id), timeout=timeout)

    def list(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.PortOrder]:
        """Port orders of the account"""
        return self._pages("/phone-numbers/port-in", query={"page": page, "limit": limit}, timeout=timeout)

    def list_all(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.AdminPortOrder]:
        """Port orders of all accounts. For role ADMIN."""
        return self._pages("/admin/port-orders", query={"page": page, "limit": limit}, timeout=timeout)

    def move(self, id: str, body: types.MovePortOrderBody, *, timeout: Optional[float] = None) -> types.AdminPortOrder:
        """Move a port order along. For role ADMIN."""
        return self._data("PATCH", self._path("/admin/port-orders/{id}", id), body=body, timeout=timeout)

    def upload_port_document(self, id: str, file: File, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None, **fields: str) -> types.PortOrder:
        """Upload the letter of authorization or the bill"""
        return self._data("POST", self._path("/phone-numbers/port-in/{id}/documents", id), form=(file, fields), key=idempotency_key, keyed=True, timeout=timeout)



class Results(Group):
    def cancel_rerun(self, id: str, rerun_id: Union[str, int], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Rerun:
        """End a rerun; what was read stays"""
        return self._data("POST", self._path("/businesses/{id}/reruns/{rerunId}/cancel", id, rerun_id), key=idempotency_key, keyed=True, timeout=timeout)

    def get_rerun(self, id: str, rerun_id: Union[str, int], *, timeout: Optional[float] = None) -> types.Rerun:
        """How far a rerun is, and which calls failed"""
        return self._data("GET", self._path("/businesses/{id}/reruns/{rerunId}", id, rerun_id), timeout=timeout)

    def list_reruns(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.Rerun]:
        """Reruns of a business, newest first"""
        return self._pages(self._path("/businesses/{id}/reruns", id), query={"page": page, "limit": limit}, timeout=timeout)

    def start_rerun(self, id: str, body: Optional[types.StartRerunBody] = None, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Rerun:
        """Read calls of the past again, the newest first, for the outputs and criteria of now. One
        rerun of a business at a time. Results are replaced by those that are found; a call that
        fails keeps what it has."""
        return self._data("POST", self._path("/businesses/{id}/reruns", id), body=body, key=idempotency_key, keyed=True, timeout=timeout)



class Tests(Group):
    def add_case(self, id: str, body: types.AddTestCaseBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.TestCase:
        """Add a case to a test suite"""
        return self._data("POST", self._path("/test-suites/{id}/cases", id), body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def cancel_run(self, id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.TestRun:
        """End a run; what is done stays"""
        return self._data("POST", self._path("/test-runs/{id}/cancel", id), key=idempotency_key, keyed=True, timeout=timeout)

    def create_suite(self, body: types.CreateTestSuiteBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.TestSuite:
        """Create a test suite: conversations that an agent of a business is tried with"""
        return self._data("POST", "/test-suites", body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def delete_case(self, id: str, *, timeout: Optional[float] = None) -> types.TestCase:
        """Delete a case; what came of it in runs stays"""
        return self._data("DELETE", self._path("/test-cases/{id}", id), timeout=timeout)

    def delete_suite(self, id: str, *, timeout: Optional[float] = None) -> types.TestSuite:
        """Delete a test suite with its cases and its runs"""
        return self._data("DELETE", self._path("/test-suites/{id}", id), timeout=timeout)

    def get_case(self, id: str, *, timeout: Optional[float] = None) -> types.TestCase:
        """One case"""
        return self._data("GET", self._path("/test-cases/{id}", id), timeout=timeout)

    def get_recording(self, id: str, *, timeout: Optional[float] = None) -> Answer:
        """The recording of a simulation: an MP3, the caller left, the agent right. Honours
        `Range`, `If-Range` and `If-None-Match`. The newest ones of an account are kept."""
        return self._file("GET", self._path("/test-results/{id}/audio", id), timeout=timeout)

    def get_run(self, id: str, *, timeout: Optional[float] = None) -> types.TestRun:
        """How far a run is"""
        return self._data("GET", self._path("/test-runs/{id}", id), timeout=timeout)

    def get_run_as_junit(self, id: str, *, timeout: Optional[float] = None) -> Answer:
        """What came of a run, as JUnit XML"""
        return self._file("GET", self._path("/test-runs/{id}/junit.xml", id), timeout=timeout)

    def get_suite(self, id: str, *, timeout: Optional[float] = None) -> types.TestSuite:
        """One test suite"""
        return self._data("GET", self._path("/test-suites/{id}", id), timeout=timeout)

    def import_transcript(self, id: str, body: types.ImportTranscriptBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.TestImport:
        """Make cases of a transcript, one for each turn of its caller. The agent’s old words
        become a hint beside the new ones. A case has no checks but those that are given."""
        return self._data("POST", self._path("/test-suites/{id}/import", id), body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def keep_call(self, id: str, body: types.KeepCallAsTestBody, *, timeout: Optional[float] = None) -> types.TestCase:
        """Keep a call as a test: its caller’s own voice, cut at their turns. The recording must be
        a WAV. What the business’s redaction finds in a turn is taken out of its words, and the
        turn is silent. The case, its audio and its results go with the call when that is
        erased."""
        return self._data("POST", self._path("/calls/{id}/keep-as-test", id), body=body, timeout=timeout)

    def list_cases(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.TestCase]:
        """Cases of a test suite, in their order"""
        return self._pages(self._path("/test-suites/{id}/cases", id), query={"page": page, "limit": limit}, timeout=timeout)

    def list_results(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.TestResult]:
        """What came of each case of a run"""
        return self._pages(self._path("/test-runs/{id}/results", id), query={"page": page, "limit": limit}, timeout=timeout)

    def list_runs(self, *, page: Optional[int] = None, limit: Optional[int] = None, suiteId: Optional[str] = None, timeout: Optional[float] = None) -> Pages[types.TestRun]:
        """Runs of test suites, newest first"""
        return self._pages("/test-runs", query={"page": page, "limit": limit, "suiteId": suiteId}, timeout=timeout)

    def list_suites(self, *, page: Optional[int] = None, limit: Optional[int] = None, agentId: Optional[str] = None, businessId: Optional[str] = None, timeout: Optional[float] = None) -> Pages[types.TestSuite]:
        """List test suites, newest first"""
        return self._pages("/test-suites", query={"page": page, "limit": limit, "agentId": agentId, "businessId": businessId}, timeout=timeout)

    def start_run(self, id: str, body: Optional[types.StartTestRunBody] = None, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.TestRun:
        """Run a test suite with its agent and business as they are now. One run of a suite at a
        time. No tool is run, nobody is called, and nothing is counted as a call."""
        return self._data("POST", self._path("/test-suites/{id}/runs", id), body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def update_case(self, id: str, body: Optional[types.UpdateTestCaseBody] = None, *, timeout: Optional[float] = None) -> types.TestCase:
        """Change a case; its definition is replaced whole"""
        return self._data("PATCH", self._path("/test-cases/{id}", id), body=body, timeout=timeout)

    def update_suite(self, id: str, body: Optional[types.UpdateTestSuiteBody] = None, *, timeout: Optional[float] = None) -> types.TestSuite:
        """Change a test suite"""
        return self._data("PATCH", self._path("/test-suites/{id}", id), body=body, timeout=timeout)



class Tools(Group):
    def create(self, body: types.CreateToolBody, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Tool:
        """Create a tool; agents, businesses and campaigns name it in `toolIds`"""
        return self._data("POST", "/tools", body=body, key=idempotency_key, keyed=True, timeout=timeout)

    def delete(self, id: str, *, timeout: Optional[float] = None) -> types.Tool:
        """Delete a tool that nobody uses"""
        return self._data("DELETE", self._path("/tools/{id}", id), timeout=timeout)

    def discard_draft(self, id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> List[types.Discarded]:
        """Discard the drafts of the tool. Their versions stay in the lists, and can be brought
        back."""
        return self._data("POST", self._path("/tools/{id}/discard", id), key=idempotency_key, keyed=True, timeout=timeout)

    def get(self, id: str, *, timeout: Optional[float] = None) -> types.Tool:
        """One tool"""
        return self._data("GET", self._path("/tools/{id}", id), timeout=timeout)

    def get_draft(self, id: str, *, timeout: Optional[float] = None) -> List[types.Draft]:
        """Drafts of the tool, each compared with what calls obey"""
        return self._data("GET", self._path("/tools/{id}/draft", id), timeout=timeout)

    def get_version(self, id: str, number: Union[str, int], *, against: Optional[int] = None, timeout: Optional[float] = None) -> types.VersionWithContent:
        """One version of the tool, and what differs from another"""
        return self._data("GET", self._path("/tools/{id}/versions/{number}", id, number), query={"against": against}, timeout=timeout)

    def list(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.Tool]:
        """List tools"""
        return self._pages("/tools", query={"page": page, "limit": limit}, timeout=timeout)

    def list_versions(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, calls: Optional[bool] = None, campaignId: Optional[str] = None, tests: Optional[bool] = None, timeout: Optional[float] = None) -> Pages[types.Version]:
        """Versions of the tool, newest first, and what each has changed. Each change makes a
        version. The newest 200 are kept, or fewer where their texts are longer than 2,000,000
        characters together."""
        return self._pages(self._path("/tools/{id}/versions", id), query={"page": page, "limit": limit, "calls": calls, "campaignId": campaignId, "tests": tests}, timeout=timeout)

    def publish(self, id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> List[types.Published]:
        """Publish the drafts of the tool: all of them, or none. Calls obey them from the next one
        on."""
        return self._data("POST", self._path("/tools/{id}/publish", id), key=idempotency_key, keyed=True, timeout=timeout)

    def refresh(self, id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Tool:
        """Read the catalogue of an MCP server now"""
        return self._data("POST", self._path("/tools/{id}/refresh", id), key=idempotency_key, keyed=True, timeout=timeout)

    def restore_version(self, id: str, number: Union[str, int], *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None) -> types.Tool:
        """Make the tool what it was in a version. The fields that differ are changed as by a
        PATCH, and a new version is made. Values of headers are in no version."""
        return self._data("POST", self._path("/tools/{id}/versions/{number}/restore", id, number), key=idempotency_key, keyed=True, timeout=timeout)

    def test(self, id: str, body: Optional[types.TestToolBody] = None, *, timeout: Optional[float] = None) -> types.ToolTest:
        """Run a tool now, as a call would: the request as it left, the answer, and what the model
        would be told"""
        return self._data("POST", self._path("/tools/{id}/test", id), body=body, timeout=timeout)

    def update(self, id: str, body: Optional[types.UpdateToolBody] = None, *, timeout: Optional[float] = None) -> types.Tool:
        """Change a tool, for the calls that begin afterwards; `headers` replace all that there
        were, `setHeaders` one by one"""
        return self._data("PATCH", self._path("/tools/{id}", id), body=body, timeout=timeout)



class Voices(Group):
    def get_preview(self, id: str, *, timeout: Optional[float] = None) -> Answer:
        """A sentence in the voice, audio/wav"""
        return self._file("GET", self._path("/voices/{id}/preview", id), timeout=timeout)

    def list(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.Voice]:
        """Voices that agents may be given; the default one first, then by name. Without `page` and
        `limit` all of them, up to 1,000, are on one page."""
        return self._pages("/voices", query={"page": page, "limit": limit}, timeout=timeout)



class Webhooks(Group):
    def create(self, body: types.CreateWebhookBody, *, timeout: Optional[float] = None) -> types.Webhook:
        """Create a webhook; the secret is shown this one time"""
        return self._data("POST", "/webhooks", body=body, timeout=timeout)

    def delete(self, id: str, *, timeout: Optional[float] = None) -> types.DeleteWebhookResult:
        """Delete a webhook; deliveries stop at once, its log stays readable for 30 days"""
        return self._data("DELETE", self._path("/webhooks/{id}", id), timeout=timeout)

    def get(self, id: str, *, timeout: Optional[float] = None) -> types.Webhook:
        """Get a webhook"""
        return self._data("GET", self._path("/webhooks/{id}", id), timeout=timeout)

    def list(self, *, page: Optional[int] = None, limit: Optional[int] = None, timeout: Optional[float] = None) -> Pages[types.Webhook]:
        """List webhooks"""
        return self._pages("/webhooks", query={"page": page, "limit": limit}, timeout=timeout)

    def list_deliveries(self, id: str, *, page: Optional[int] = None, limit: Optional[int] = None, success: Optional[bool] = None, timeout: Optional[float] = None) -> Pages[types.WebhookDelivery]:
        """The delivery log, newest first"""
        return self._pages(self._path("/webhooks/{id}/deliveries", id), query={"page": page, "limit": limit, "success": success}, timeout=timeout)

    def replay_delivery(self, id: str, delivery_id: Union[str, int], *, timeout: Optional[float] = None) -> types.WebhookDelivery:
        """Send the original payload to the current URL, now"""
        return self._data("POST", self._path("/webhooks/{id}/deliveries/{deliveryId}/replay", id, delivery_id), timeout=timeout)

    def rotate_secret(self, id: str, *, timeout: Optional[float] = None) -> types.Webhook:
        """Replace the secret; the old one is invalid at once"""
        return self._data("POST", self._path("/webhooks/{id}/rotate-secret", id), timeout=timeout)

    def test(self, id: str, body: types.TestWebhookBody, *, timeout: Optional[float] = None) -> types.WebhookDelivery:
        """Deliver a synthetic event now"""
        return self._data("POST", self._path("/webhooks/{id}/test", id), body=body, timeout=timeout)

    def update(self, id: str, body: Optional[types.UpdateWebhookBody] = None, *, timeout: Optional[float] = None) -> types.Webhook:
        """Change a webhook; a changed URL is probed again"""
        return self._data("PATCH", self._path("/webhooks/{id}", id), body=body, timeout=timeout)



class Widget(Group):
    def begin_call(self, key: Union[str, int], body: Optional[types.BeginWidgetCallBody] = None, *, timeout: Optional[float] = None) -> types.WidgetCall:
        """Begin a visitor's call. The socket is that of `POST /calls/web`."""
        return self._data("POST", self._path("/widget/{key}/calls", key), body=body, timeout=timeout)

    def create_key(self, body: types.CreateWidgetKeyBody, *, timeout: Optional[float] = None) -> types.WidgetKey:
        """Make a public key for a web site. One that allows calls needs the scope `call` too."""
        return self._data("POST", "/widget-keys", body=body, timeout=timeout)

    def delete_key(self, id: str, *, timeout: Optional[float] = None) -> types.DeleteWidgetKeyResult:
        """Delete a public key; its conversations stay"""
        return self._data("DELETE", self._path("/widget-keys/{id}", id), timeout=timeout)

    def get_key(self, id: str, *, timeout: Optional[float] = None) -> types.WidgetKey:
        """One public key"""
        return self._data("GET", self._path("/widget-keys/{id}", id), timeout=timeout)

    def list_keys(self, *, page: Optional[int] = None, limit: Optional[int] = None, campaignId: Optional[str] = None, timeout: Optional[float] = None) -> Pages[types.WidgetKey]:
        """List the public keys of web sites, with what was done by them today"""
        return self._pages("/widget-keys", query={"page": page, "limit": limit, "campaignId": campaignId}, timeout=timeout)

    def open(self, key: Union[str, int], body: Optional[types.OpenWidgetBody] = None, *, timeout: Optional[float] = None) -> types.WidgetFacts:
        """What a widget may do, and who answers"""
        return self._data("POST", self._path("/widget/{key}", key), body=body, timeout=timeout)

    def read_messages(self, key: Union[str, int], body: types.ReadWidgetMessagesBody, *, timeout: Optional[float] = None) -> types.WidgetThread:
        """Read a visitor's conversation"""
        return self._data("POST", self._path("/widget/{key}/messages/read", key), body=body, timeout=timeout)

    def rotate_key(self, id: str, body: Optional[types.RotateWidgetKeyBody] = None, *, timeout: Optional[float] = None) -> types.WidgetKey:
        """Replace the public key; pages may use the old one for a while"""
        return self._data("POST", self._path("/widget-keys/{id}/rotate", id), body=body, timeout=timeout)

    def update_key(self, id: str, body: Optional[types.UpdateWidgetKeyBody] = None, *, timeout: Optional[float] = None) -> types.WidgetKey:
        """Change origins, caps, captcha, expiry, or switch it off; it acts at once"""
        return self._data("PATCH", self._path("/widget-keys/{id}", id), body=body, timeout=timeout)

    def write_message(self, key: Union[str, int], body: types.WriteWidgetMessageBody, *, timeout: Optional[float] = None) -> types.WidgetWritten:
        """Write a visitor's message; the first one begins a conversation"""
        return self._data("POST", self._path("/widget/{key}/messages", key), body=body, timeout=timeout)



class Operations:
    """All groups of operations."""

    def __init__(self, transport: Transport) -> None:
        self.account = Account(transport)
        self.administration = Administration(transport)
        self.agents = Agents(transport)
        self.alerts = Alerts(transport)
        self.appointments = Appointments(transport)
        self.authentication = Authentication(transport)
        self.billing = Billing(transport)
        self.businesses = Businesses(transport)
        self.calendars = Calendars(transport)
        self.calls = Calls(transport)
        self.campaigns = Campaigns(transport)
        self.contacts = Contacts(transport)
        self.conversations = Conversations(transport)
        self.costs = Costs(transport)
        self.do_not_call = DoNotCall(transport)
        self.knowledge = Knowledge(transport)
        self.models = Models(transport)
        self.phone_numbers = PhoneNumbers(transport)
        self.port_in = PortIn(transport)
        self.results = Results(transport)
        self.tests = Tests(transport)
        self.tools = Tools(transport)
        self.voices = Voices(transport)
        self.webhooks = Webhooks(transport)
        self.widget = Widget(transport)
