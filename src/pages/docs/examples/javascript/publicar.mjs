// node publicar.mjs ana@automotores.example
import { llamar } from './rodado.mjs'

const [adminMail = 'ana@automotores.example'] = process.argv.slice(2)
const autos = [
  {
    ...{ ExternalId: 'AB-1023', Marca: 'vw', Modelo: 'amarok', Version: 'V6 Extreme', VersionYear: 2023 },
    ...{ Kilometraje: 21000, Color: 'gris', Precio: { Moneda: 'USD', Importe: 42000 } },
  },
  { ExternalId: 'AB-1024', Marca: 'fiat', Modelo: 'cronos', Version: '1.3 drive', VersionYear: 2022 },
  { ExternalId: 'AB-1025', Marca: 'Ford', Modelo: 'Ka', Color: 'color de viento' },
]

const { datos } = await llamar('POST', `/v3/publicaciones/${adminMail}/lote`, autos)
for (const { ExternalId, Resultado, Errors } of datos._entries)
  console.log(ExternalId, Resultado, Errors ? JSON.stringify(Errors) : '')
