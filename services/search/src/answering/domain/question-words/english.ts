// English. See index.ts.

export const english = `
  able accept account act action actually add address again age ago agree allow almost alone along already also although always amount
  another answer anyone anything apply appear area around arrive ask available away back bad base became become began begin begun behind
  belong best better big body book born both bought bring brought build building built business buy call came cancel car care carry case
  cause caught center centre certain chance change charge check child children choose chose chosen city clear close cold color colour come
  common company complete concern condition consider contain continue control copy correct cost could count country course create current
  customer cut data date day deal decide deep degree deliver describe design detail determine develop did die differ different difficult
  direct discover discuss document done door drive drove due early easy eat effect either else employ end enough enter establish even
  event ever every everyone everything exact example exist expect expire explain eye face fact fall family far fast feel fell felt few
  field file fill final find fine finish fire first fit five follow food force form former forward found four free friend front full
  further gave general get give given go goes going gone good got government great ground group grow grew grown half hand hang happen hard
  head hear heard heart heat heavy held help high him hire hold home hope hot hour house however human hundred hung idea important improve
  include increase indicate information inside instead interest invent issue item job join keep kept key kind knew know known land large
  last late later launch law lay lead leave least led left length less let letter level lie life light like likely limit line list listen
  little live local locate long look lose lost lot love low made main major make man manage many mark marry matter may mean meant measure
  member men mention method might mind minute miss moment money month morning move much must name national near necessary need never new
  next nine night none normal note nothing notice number occur offer office often old one open operate order original others otherwise
  outside owner page paid paper part particular pass past pay people per percent perform perhaps period permit person phone pick picture
  piece place plan plant play please point popular position possible power present president press price probably problem process produce
  product program project provide public publish pull purpose push put question quick quite raise ran rate rather reach read ready real
  really reason receive recent recommend record reduce regular relate release remain remember remove repeat reply report represent require
  rest result return right rise role room rule run said sale saw say school second secret section see seek seem seen sell send sense sent
  separate serve service set seven several shape share ship short should show shown side sign similar simple since single sit site
  situation six size small social sold some someone something sometimes soon sort sound source south special specific speak spend spent
  spoke spoken stand standard start state stay step still stood stop store story street strong student study subject such sudden suggest
  supply support sure system table take taken talk taught teach team tell ten term test thank thing think third though thought three
  through time today together tomorrow took top total toward town trade travel tree tried true try two type under understand understood
  unit until upon use usual value various version view visit wait walk want war water way week weight well went west whether white whole
  whose wide will within without woman women wonder word wore work world worn would write written wrong wrote year yes yesterday yet young
  zero
`;
