"""The scenario of ../scenario.md."""

import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from rodado_client import ProblemError, Rodado, RodadoError, WebhookError, verify_webhook
from rodado_client.generated.api.agencias import listar_agencias
from rodado_client.generated.api.app_notificaciones import configurar_webhook, listar_entregas, probar_webhook
from rodado_client.generated.api.consultas import listar_consultas
from rodado_client.generated.api.marcas import buscar_marcas
from rodado_client.generated.api.publicaciones import editar_publicacion, publicar, ver_publicacion
from rodado_client.generated.models import (
    AppWebhookUpsert,
    MarcaCriterios,
    MarcasValores,
    Money,
    PublicacionCreate,
    PublicacionEdit,
)

scenario = json.loads(os.environ["RODADO_SCENARIO"])
mail = scenario["adminMail"]


def client(secret=os.environ["RODADO_APP_SECRET"], base_url=os.environ["RODADO_URL"], **options):
    return Rodado(base_url, os.environ["RODADO_APP_KEY"], secret, **options)


rodado = client()


def id_of(entry):
    return entry.field_links["self"].href.split("/")[-1]


def agencies(caller):
    return [agencia.admin_mail for agencia in caller.entries(listar_agencias)]


def find_makes():
    values = MarcasValores([MarcaCriterios(make) for make in scenario["makes"]])
    matches = [each.match for each in buscar_marcas.sync(client=rodado, body=values).field_entries]
    return [match and int(match.href.split("/")[-1]) for match in matches]


def publish_and_change():
    car = PublicacionCreate("AB-1", "Fiat", "Cronos", version_year=2022, kilometraje=38000)
    car.precio, car.descripcion = Money("ARS", 18500000.5), "Único dueño"
    publicar.sync(mail, client=rodado, body=car)
    read = ver_publicacion.sync_detailed(mail, "AB-1", client=rodado)
    change = PublicacionEdit(precio=Money("ARS", 17999999.99), descripcion=read.parsed.descripcion)
    changed = editar_publicacion.sync(mail, "AB-1", client=rodado, body=change, if_match=read.headers["etag"])
    return changed.precio.importe


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.delivery = dict(self.headers), self.rfile.read(int(self.headers["content-length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def receive_webhook():
    receiver = HTTPServer(("127.0.0.1", 0), Receiver)
    topic, callback = "consulta.modificada", f"http://127.0.0.1:{receiver.server_port}/"
    webhook = configurar_webhook.sync(topic, client=rodado, body=AppWebhookUpsert(callback, secret=scenario["secret"]))
    sent = probar_webhook.sync(topic, client=rodado).id
    receiver.handle_request()
    headers, body = receiver.delivery
    event = verify_webhook(headers, body, scenario["secret"])
    tampered = is_refused(headers, body + b" ")
    lower = {name.lower(): value for name, value in headers.items()}
    several = {**lower, "webhook-signature": "v1,bm8= " + lower["webhook-signature"]}
    standard = verify_webhook(several, body, webhook.secret_estandar)["Id"]
    malformed = all(is_refused({**lower, each["name"]: each["value"]}, body) for each in scenario["malformed"])
    return {
        "sent": sent,
        "received": event["Id"],
        "moment": event["Momento"],
        "standard": standard,
        "tampered": tampered,
        "malformed": malformed,
    }


def is_refused(headers, body):
    try:
        verify_webhook(headers, body, scenario["secret"])
        return False
    except WebhookError:
        return True


def website():
    try:
        listar_agencias.sync(client=client(base_url=scenario["website"]))
    except RodadoError as error:
        return str(error)


def hostile():
    for server in scenario["hostile"]:
        for auth in ("signature", "bearer"):
            try:
                listar_agencias.sync(client=client(base_url=server["url"], timeout=server["seconds"], retries=0, auth=auth))
            except RodadoError as error:
                yield str(error)


def met(call):
    try:
        call()
        return "no problem"
    except ProblemError as problem:
        codes = {code for codes in problem.codes.values() for code in codes} | ({problem.codigo} - {None})
        return {"status": problem.status, "code": problem.code, "fields": sorted(problem.errors), "codes": sorted(codes)}


def problems():
    once, wrong = client(retries=0), client("wrong")
    for asked in scenario["problems"]:
        yield met(lambda: once.request(asked["method"], asked["path"], asked["body"], asked["headers"]))
    yield met(lambda: listar_agencias.sync(client=wrong))


def status(method, path, body=None, caller=rodado):
    try:
        return caller.request(method, path, body).status_code
    except ProblemError as problem:
        return problem.status


listing, webhook = publish_and_change(), receive_webhook()
result = {
    "agencies": agencies(rodado),
    "agenciesByToken": agencies(client(base_url=scenario["busy"], auth="bearer")),
    "makes": find_makes(),
    "listing": listing,
    "inquiries": [id_of(consulta) for consulta in rodado.entries(listar_consultas, mail)],
    "deliveries": [each.evento for each in rodado.entries(listar_entregas, "consulta.recibida", admin_mail=mail)],
    "webhook": webhook,
    "events": [{"Id": event["Id"], "Momento": event["Momento"]} for events, _ in rodado.follow(once=True) for event in events],
    "problems": list(problems()),
    "website": website(),
    "hostile": list(hostile()),
    "retries": [
        status("GET", "/v3/escenario/inestable"),
        status("POST", "/v3/escenario/limitada", {}),
        status("POST", "/v3/escenario/caida", {}),
        status("GET", "/v3/escenario/cortada"),
        status("GET", "/v3/escenario/reloj"),
        status("GET", "/v3/escenario/token", caller=client(auth="bearer")),
    ],
}
print(json.dumps(result))
