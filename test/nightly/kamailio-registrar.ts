// The Kamailio of docs/trunks.md that the service registers at, with loopback's addresses in place of the page's.
interface Front {
  username: string;
  password: string;
  /** Port of the carrier behind it. */
  carrierPort: number;
}

/** The part that the page shows; a test could hold both equal but for addresses, password and modules. */
export const frontConfiguration =
  ({ username, password, carrierPort }: Front) =>
  (port: number): string =>
    `
debug=1
log_stderror=yes
children=1
disable_tcp=yes
listen=udp:127.0.0.1:${port}
loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "usrloc.so"
loadmodule "registrar.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "auth.so"
request_route {
    if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
    if (has_totag()) {
        if (loose_route()) { t_relay(); exit; }
        if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
        sl_send_reply("404", "Not here"); exit;
    }
    if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
    if (is_method("REGISTER")) {
        if (!pv_www_authenticate("$td", "${password}", "0")) { www_challenge("$td", "1"); exit; }
        if ($au != $tU) { sl_send_reply("403", "Forbidden"); exit; }
        save("location"); exit;
    }
    if (!is_method("INVITE")) { sl_send_reply("405", "Method Not Allowed"); exit; }
    record_route();
    if ($sp == ${carrierPort}) {
        $var(number) = $rU;
        $ru = "sip:${username}@" + $td;
        if (!lookup("location")) { sl_send_reply("480", "Not registered"); exit; }
        $rU = $var(number);
    } else {
        if (!pv_proxy_authenticate("$fd", "${password}", "0")) { proxy_challenge("$fd", "1"); exit; }
        consume_credentials();
        $du = "sip:127.0.0.1:${carrierPort}";
    }
    t_relay();
}
`;
