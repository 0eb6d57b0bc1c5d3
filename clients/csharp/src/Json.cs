using System.IO;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace Rodado.Client
{
    internal static class Json
    {
        /// <summary>
        /// An object with its moments as the server writes them: JObject.Parse makes them, and any text that looks like one, dates in the
        /// zone of the machine.
        /// </summary>
        internal static JObject Parse(string text)
        {
            using (var reader = new JsonTextReader(new StringReader(text)) { DateParseHandling = DateParseHandling.None })
                return JObject.Load(reader);
        }
    }
}
