import { Status } from '../../parts.tsx'
import { Example } from '../example.tsx'
import type { Chapter, Reader } from './chapter.ts'
import { Facts } from './facts.tsx'
import { Named, Operation, Topic } from './links.tsx'

export const publishing: Chapter = {
  slug: 'publicar',
  title: 'Publicar autos',
  summary: 'Traducir los datos de su sistema a los catálogos, y publicar un auto o todo un stock.',
  sections: [
    { id: 'traducir', title: 'Sus datos, nuestros catálogos', body: Translate },
    { id: 'paquete', title: 'El paquete', body: Package },
    { id: 'lote', title: 'Todo el stock de una vez', body: Batch },
    { id: 'completo', title: 'El lote es todo lo que hay', body: Whole },
    { id: 'una', title: 'De a uno', body: One },
    { id: 'novedades', title: 'Lo que hacen otros', body: Others },
  ],
}

function Translate(reader: Reader) {
  return (
    <>
      <p>
        Mande marca, modelo, color o ciudad como su sistema los tiene: se reconocen por nombre, código, abreviatura,
        dirección nuestra, o parecido, con errores de tipeo y acentos rotos. Lo que no es seguro se rechaza con
        candidatos en lugar de adivinarse. Para preguntar sin publicar está <code>bestmatch</code>:
      </p>
      <Example task="traducir" {...reader} />
      <p>
        El encabezado <code>Match</code> dice por qué lo creemos. Hay uno para <Named id="buscarMarca">marcas</Named>,{' '}
        <Named id="buscarModelo">modelos</Named>, <Named id="buscarVersion">versiones</Named>,{' '}
        <Named id="buscarColor">colores</Named>, <Named id="buscarCarroceria">carrocerías</Named>,{' '}
        <Named id="buscarRegion">regiones</Named> y <Named id="buscarCiudad">ciudades</Named>.
      </p>
    </>
  )
}

function Package() {
  return (
    <p>
      El mercado le vende a la agencia tantas publicaciones de cada exposición (<code>Alta</code>, <code>Media</code>,{' '}
      <code>Baja</code>); <Operation id="verProductosDeAgencia">…/productos</Operation> dice cuántas quedan. Sin{' '}
      <code>Exposicion</code> se da la mejor que quede; si pide <code>Alta</code> y no hay, se da la que sigue, y solo
      cuando no queda ninguna es <Status code={400} />. <code>Activa: false</code> publica sin mostrar, y no ocupa
      lugar.
    </p>
  )
}

function Batch(reader: Reader) {
  return (
    <>
      <p>
        <Operation id="publicarLote">POST …/lote</Operation> toma hasta 500 autos, en una lista o uno por línea (
        <code>application/x-ndjson</code>). Cada fila crea o modifica la publicación de su <code>ExternalId</code>, que
        es el número que usted le da:
      </p>
      <Example task="publicar" {...reader} />
      <Facts
        caption="El resultado de cada fila"
        heads={['Resultado', 'Qué pasó']}
        rows={[
          [<code>creada</code>, 'No existía.'],
          [<code>modificada</code>, 'Existía y algo cambió.'],
          [<code>sin-cambios</code>, 'Existía así.'],
          [
            <code>rechazada</code>,
            'Errors dice por qué (hasta 10 errores por fila), y Candidatos qué se parece. Las demás filas siguen.',
          ],
          [<code>archivada</code>, 'No estaba en un lote completo.'],
        ]}
      />
      <p>
        Mandar lo mismo otra vez no cambia nada: si se cortó la conexión, mándelo de nuevo. Con{' '}
        <code>simular=true</code> solo se dice qué pasaría.
      </p>
    </>
  )
}

function Whole() {
  return (
    <p>
      Con <code>modo=completo</code> el lote es todo el stock, y lo que no está en él se archiva. Una fila rechazada no
      cuenta como ausente. Si se archivara más del 30 %, se pide confirmar (<code>confirmar=true</code>): un archivo
      cortado no vacía una agencia.
    </p>
  )
}

function One() {
  return (
    <ul>
      <li>
        <Operation id="publicar">POST</Operation> publica uno; un <code>ExternalId</code> vivo da <Status code={409} />.
      </li>
      <li>
        Para cambiarlo, léalo, cambie lo que quiera y envíelo con <Operation id="editarPublicacion">PUT</Operation>. Su{' '}
        <code>ETag</code> en <code>If-Match</code> asegura que nadie lo cambió en el medio (<Status code={412} />
        ). La marca, el modelo y la versión no cambian: otro auto es otra publicación.
      </li>
      <li>
        <Operation id="archivarPublicacion">DELETE</Operation> lo archiva para siempre y libera su{' '}
        <code>ExternalId</code>.
      </li>
      <li>
        <code>Aviso</code> es su número público: <code>/aviso/{'{Aviso}'}</code> es su página.{' '}
        <Operation id="verEstadisticasDePublicacion">…/estadisticas</Operation> dice cuánto se miró y se consultó, por
        día.
      </li>
    </ul>
  )
}

function Others() {
  return (
    <p>
      Si la agencia o el mercado suspenden, reactivan o archivan una publicación suya, llega{' '}
      <Topic name="publicacion.suspendida" />, <Topic name="publicacion.activada" /> o{' '}
      <Topic name="publicacion.archivada" />. Lo que el mercado suspendió se puede editar y no mostrar;{' '}
      <code>Suspension.Motivo</code> dice por qué.
    </p>
  )
}
