import type { Modo } from '../../apps/app.ts'

export const TIPOS_ANUNCIO = ['publicacion', 'catalogo'] as const
export const ORIGENES = ['form', 'whatsapp', 'telefono', 'chat', 'email', 'otro'] as const
export const CONDICIONES = ['usado', 'nuevo', 'seminuevo'] as const
export const INTERESES = ['compra', 'financiacion', 'permuta', 'prueba-de-manejo', 'otro'] as const
/** Where the dealership's work on an inquiry stands. */
export const ESTADOS = ['nueva', 'leida', 'contactada', 'vendida', 'descartada'] as const

export type TipoAnuncio = (typeof TIPOS_ANUNCIO)[number]
export type OrigenLead = (typeof ORIGENES)[number]
export type Condicion = (typeof CONDICIONES)[number]
export type Interes = (typeof INTERESES)[number]
export type EstadoConsulta = (typeof ESTADOS)[number]

/** The source of an inquiry about a car of the catalogue, which no app published. */
export const CATALOGO = 0

export interface Money {
  Moneda: string
  Importe: number
}

/** The car as it was when the inquiry came, in the specification's members and order. */
export interface Auto {
  ExternalId: string
  RefStock: string | null
  Marca: string
  Modelo: string
  Version: string | null
  VersionYear: number | null
  Kilometraje: number | null
  Color: string | null
  BodyType: string | null
  Estado: Condicion
  Precio: Money | null
  Anticipo: Money | null
  Cuota: Money | null
}

export interface InfoOperacion {
  EntregaVehiculo: { Marca: string; Modelo: string; VersionYear: number | null } | null
  FinanciacionDeseada: { Adelanto: Money | null; Cuota: Money | null } | null
  QuiereCotizacionSeguro: boolean | null
}

/** Who asks. Erased on request: then the names and the mail are empty and the rest is null. */
export interface Interesado {
  Interes: Interes | null
  Nombre: string
  Apellido: string
  Email: string
  Telefono: string | null
  DocIdentidad: string | null
  Provincia: string | null
  Ciudad: string | null
  Comentario: string | null
  InfoOperacion: InfoOperacion | null
}

/** A person who was erased (decisions, 11). */
export const ERASED: Interesado = {
  Interes: null,
  Nombre: '',
  Apellido: '',
  Email: '',
  Telefono: null,
  DocIdentidad: null,
  Provincia: null,
  Ciudad: null,
  Comentario: null,
  InfoOperacion: null,
}

/** An inquiry as it is kept. When it came stands in its sid (`momentOf`). */
export interface Consulta {
  sid: string
  modo: Modo
  agenciaId: number
  /** The app that published the listing; `CATALOGO` where there is none. */
  fuente: number
  tipoAnuncio: TipoAnuncio
  origenLead: OrigenLead
  /** `Auto` and `Interesado`, printed once at reception (JSON.stringify) and shown like that ever after. */
  auto: string
  interesado: string
  /** The mail of the operator responsible for it. */
  operador: string
  estado: EstadoConsulta
  /** The sid of the first, where the same person asked about the same car within a day. */
  repite: string | null
}

/** What a representation reads of it. */
export type Shown = Pick<
  Consulta,
  'sid' | 'origenLead' | 'tipoAnuncio' | 'auto' | 'interesado' | 'operador' | 'estado' | 'repite'
>

export const autoOf = ({ auto }: Pick<Consulta, 'auto'>): Auto => JSON.parse(auto)
export const interesadoOf = ({ interesado }: Pick<Consulta, 'interesado'>): Interesado => JSON.parse(interesado)
