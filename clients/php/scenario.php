<?php

// The scenario of ../scenario.md.
use Rodado\Generated\Api\AgenciasApi;
use Rodado\Generated\Api\AppNotificacionesApi;
use Rodado\Generated\Api\ConsultasApi;
use Rodado\Generated\Api\MarcasApi;
use Rodado\Generated\Api\PublicacionesApi;
use Rodado\Generated\Model\AppWebhookUpsert;
use Rodado\Generated\Model\MarcaCriterios;
use Rodado\Generated\Model\MarcasValores;
use Rodado\Generated\Model\Money;
use Rodado\Generated\Model\PublicacionCreate;
use Rodado\Generated\Model\PublicacionEdit;
use Rodado\ProblemException;
use Rodado\Rodado;
use Rodado\RodadoException;
use Rodado\Webhook;

error_reporting(E_ALL);
set_error_handler(fn ($level, $text, $file, $line) => throw new ErrorException($text, 0, $level, $file, $line));
require getenv('COMPOSER_VENDOR_DIR') . '/autoload.php';

$scenario = json_decode(getenv('RODADO_SCENARIO'), true);
$mail = $scenario['adminMail'];
$client = fn (?string $secret = null, ?string $baseUrl = null, mixed ...$options)
    => new Rodado($baseUrl ?? getenv('RODADO_URL'), getenv('RODADO_APP_KEY'), $secret ?? getenv('RODADO_APP_SECRET'), ...$options);
$rodado = $client();

$idOf = fn ($entry) => basename($entry->getLinks()['self']->getHref());

$agencies = function (Rodado $rodado) {
    $list = $rodado->entries($rodado->api(AgenciasApi::class)->listarAgencias(...));
    return array_map(fn ($agencia) => $agencia->getAdminMail(), iterator_to_array($list, false));
};

$findMakes = function () use ($rodado, $scenario) {
    $values = array_map(fn ($make) => new MarcaCriterios(['make' => $make]), $scenario['makes']);
    $found = $rodado->api(MarcasApi::class)->buscarMarcas(new MarcasValores(['valores' => $values]));
    return array_map(fn ($each) => $each->getMatch() ? (int) basename($each->getMatch()->getHref()) : null, $found->getEntries());
};

$publishAndChange = function () use ($rodado, $mail) {
    $api = $rodado->api(PublicacionesApi::class);
    $price = fn (float $amount) => new Money(['moneda' => 'ARS', 'importe' => $amount]);
    $car = ['external_id' => 'AB-1', 'marca' => 'Fiat', 'modelo' => 'Cronos', 'version_year' => 2022, 'kilometraje' => 38000];
    $api->publicar($mail, new PublicacionCreate([...$car, 'precio' => $price(18500000.5), 'descripcion' => 'Único dueño']));
    [$read, , $headers] = $api->verPublicacionWithHttpInfo($mail, 'AB-1');
    $change = new PublicacionEdit(['precio' => $price(17999999.99), 'descripcion' => $read->getDescripcion()]);
    $etag = array_change_key_case($headers)['etag'][0];
    return $api->editarPublicacion($mail, 'AB-1', $change, $etag)->getPrecio()->getImporte();
};

/** Accepts one POST, answers 204, and returns its headers and body. */
$receive = function ($listener) {
    $connection = stream_socket_accept($listener, 30);
    $headers = [];
    fgets($connection);
    while (($line = trim(fgets($connection))) !== '') {
        [$name, $value] = explode(':', $line, 2);
        $headers[strtolower($name)] = trim($value);
    }
    $body = stream_get_contents($connection, (int) $headers['content-length']);
    fwrite($connection, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    fclose($connection);
    return [$headers, $body];
};

$receiveWebhook = function () use ($rodado, $scenario, $receive) {
    $listener = stream_socket_server('tcp://127.0.0.1:0');
    $callback = 'http://' . stream_socket_get_name($listener, false) . '/';
    $api = $rodado->api(AppNotificacionesApi::class);
    $upsert = new AppWebhookUpsert(['callback' => $callback, 'secret' => $scenario['secret']]);
    $webhook = $api->configurarWebhook('consulta.modificada', $upsert);
    $sent = $api->probarWebhook('consulta.modificada')->getId();
    [$headers, $body] = $receive($listener);
    $isRefused = function (array $headers, string $body) use ($scenario) {
        try {
            Webhook::verify($headers, $body, $scenario['secret']);
            return false;
        } catch (RodadoException) {
            return true;
        }
    };
    $tampered = $isRefused($headers, "$body ");
    $refused = array_map(fn ($each) => $isRefused([$each['name'] => $each['value']] + $headers, $body), $scenario['malformed']);
    $malformed = !in_array(false, $refused, true);
    ['Id' => $received, 'Momento' => $moment] = Webhook::verify($headers, $body, $scenario['secret']);
    $several = ['webhook-signature' => "v1,bm8= {$headers['webhook-signature']}"] + $headers;
    $standard = Webhook::verify($several, $body, $webhook->getSecretEstandar())['Id'];
    return compact('sent', 'received', 'moment', 'standard', 'tampered', 'malformed');
};

$met = function (callable $call) {
    try {
        $call();
        return 'no problem';
    } catch (ProblemException $problem) {
        $fields = array_keys($problem->errors);
        sort($fields);
        $codes = array_unique(array_filter(array_merge([$problem->codigo], ...array_values($problem->codes))));
        sort($codes);
        return ['status' => $problem->status, 'code' => $problem->problem, 'fields' => $fields, 'codes' => $codes];
    }
};

$problems = function () use ($client, $scenario, $met) {
    $once = $client(retries: 0);
    $calls = array_map(fn ($asked) => fn () => $once->request(...array_values($asked)), array_map(
        fn ($asked) => [$asked['method'], $asked['path'], $asked['body'], $asked['headers']],
        $scenario['problems'],
    ));
    $calls[] = fn () => $client('wrong')->api(AgenciasApi::class)->listarAgencias();
    return array_map($met, $calls);
};

$status = function (string $method, string $path, mixed $body = null, ?Rodado $caller = null) use ($rodado) {
    try {
        return ($caller ?? $rodado)->request($method, $path, $body)->getStatusCode();
    } catch (ProblemException $problem) {
        return $problem->status;
    }
};

$errorAt = function (string $url, mixed ...$options) {
    try {
        (new Rodado($url, 'key', 'secret', ...$options))->api(AgenciasApi::class)->listarAgencias();
        return 'no error';
    } catch (RodadoException $error) {
        return $error->getMessage();
    }
};

$hostile = function () use ($scenario, $errorAt) {
    foreach ($scenario['hostile'] as ['url' => $url, 'seconds' => $seconds]) {
        foreach (['signature', 'bearer'] as $auth) {
            yield $errorAt($url, timeout: $seconds, retries: 0, auth: $auth);
        }
    }
};

$listing = $publishAndChange();
$webhook = $receiveWebhook();
$inquiries = $rodado->entries($rodado->api(ConsultasApi::class)->listarConsultas(...), $mail);
$listDeliveries = $rodado->api(AppNotificacionesApi::class)->listarEntregas(...);
$deliveries = $rodado->entries($listDeliveries, 'consulta.recibida', admin_mail: $mail);
$events = array_merge(...array_values(iterator_to_array($rodado->follow(once: true))));
echo json_encode([
    'agencies' => $agencies($rodado),
    'agenciesByToken' => $agencies($client(baseUrl: $scenario['busy'], auth: 'bearer')),
    'makes' => $findMakes(),
    'listing' => $listing,
    'inquiries' => array_map($idOf, iterator_to_array($inquiries, false)),
    'deliveries' => array_map(fn ($each) => $each->getEvento(), iterator_to_array($deliveries, false)),
    'webhook' => $webhook,
    'events' => array_map(fn ($event) => ['Id' => $event['Id'], 'Momento' => $event['Momento']], $events),
    'problems' => $problems(),
    'website' => $errorAt($scenario['website']),
    'hostile' => iterator_to_array($hostile(), false),
    'retries' => [
        $status('GET', '/v3/escenario/inestable'),
        $status('POST', '/v3/escenario/limitada', '{}'),
        $status('POST', '/v3/escenario/caida', '{}'),
        $status('GET', '/v3/escenario/cortada'),
        $status('GET', '/v3/escenario/reloj'),
        $status('GET', '/v3/escenario/token', caller: $client(auth: 'bearer')),
    ],
], JSON_THROW_ON_ERROR);
