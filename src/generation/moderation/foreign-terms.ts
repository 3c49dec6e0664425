const terms = (list: string): readonly string[] => list.split(', ');

/**
 * The most spoken languages besides English. `*` at the end of a term stands for any ending.
 */
export interface LanguageTerms {
  /** Its script does not separate words, so its terms match anywhere in a text. */
  readonly isJoined?: true;
  /** Sexual by themselves. */
  readonly sexual: readonly string[];
  /** Allowed for adults, and never together with a word for a minor. */
  readonly suggestive: readonly string[];
  /** Words for people under 18. */
  readonly minors: readonly string[];
  /** Words of the package's list that are coarse or harmless in a prompt, or that mean something else in English. */
  readonly ignored?: readonly string[];
  /** Words of the package's list that are hate. */
  readonly hate?: readonly string[];
}

/** By the code of the language in the `naughty-words` package. It has no list for Bengali, Urdu and Indonesian. */
export const FOREIGN_LANGUAGES = {
  zh: {
    isJoined: true,
    sexual: terms(
      '淫, 屄, 肏, 裸体, 裸體, 全裸, 半裸, 裸女, 裸男, 赤裸, 裸照, 色情, 性感裸露, 做愛, 性愛, 成人片, 脱光, 脫光, 没穿衣服, 不穿衣服',
    ),
    suggestive: terms('裸, 性感, 内衣, 內衣, 比基尼, 泳装, 泳裝, 诱惑, 誘惑, 丁字裤, 丁字褲, 情趣'),
    minors: terms(
      '小女孩, 小男孩, 儿童, 兒童, 孩子, 小孩, 未成年, 幼女, 幼童, 婴儿, 嬰兒, 女学生, 女學生, 中学生, 中學生, 小学生, 小學生, 高中生, 初中生, 萝莉, 蘿莉, 正太, 少女, 少年',
    ),
    ignored: terms(
      '13., 13点, 个老子的, 十三点, 成人, 激情, 处女, 祖宗, 私服, 笨蛋, 白痴, 白癡, 老二, 老味, 老母, 靠背, 密洞, 双峰微颤, 月经, 吃屎, 狗屁, 王八蛋, 瓜娃子, 瓜婆娘, 瘪三, 小瘪三, 老瘪三, 刚瘪三, 机机歪歪, 下三烂, 仆街, 杂种, 野鸡, 迷药, 花柳, 粉腸, 鬼公, 你全家, 你老闆, 白烂, 玉杵, 刚度, 硬膠, 龟儿子, 笨實, 干七八, 他妈, 你妈, 妈的, 他娘, 你娘, 奶奶的熊, 懒8, 懒八, 懒叫, 懒教, 卵子, 册那, 后庭, 交配, 日你, 日批',
    ),
  },
  hi: {
    sexual: terms('नग्न, नंगा, नंगी, नंगे, निर्वस्त्र, अश्लील, कामुक, सेक्स, पोर्न, चुदाई, चूत, लंड, nanga, nangi'),
    suggestive: terms('सेक्सी, बिकिनी, अंतर्वस्त्र, मोहक'),
    minors: terms(
      'बच्चा, बच्ची, बच्चे, बच्चों, बालक, बालिका, नाबालिग, किशोर, किशोरी, शिशु, लड़की छोटी, छोटी लड़की, छोटा लड़का, bachcha, bachchi',
    ),
    ignored: terms(
      'kutta, kutta kamina, pataka, patakha, maal, saala, saala kutta, gucchi, gucchu, tatti, tatte, suar, harami, kamine, kaminey, haramzade, kuttiya, chakke, hawas, loda, ghassa, randi, lund, najayaz, najayaz aulaad, najayaz paidaish',
    ),
    hate: terms('paki, chinki, bhangi, hijda, hijra'),
  },
  es: {
    sexual: terms(
      'desnudo, desnuda, desnudos, desnudas, en cueros, en pelotas, sin ropa, pornográfico, pornográfica, pornografía, porno, erótico, erótica, eróticos, eróticas, sexual, sexuales, pezones, sin sostén',
    ),
    suggestive: terms(
      'sexy, lencería, bikini, sensual, seductora, seductor, provocativa, ropa interior, bragas, bañador',
    ),
    minors: terms(
      'niño, niña, niños, niñas, menor de edad, menores de edad, bebé, adolescente, adolescentes, colegiala, colegial, quinceañera, hija, chiquilla, nena',
    ),
    ignored: terms(
      'asesinato, asno, bastardo, caca, concha, drogas, heroína, idiota, imbécil, infierno, kapullo, maldito, martillo, mierda, nazi, orina, pedo, pendejo, pinche, pis, racista, trio, vete a la mierda, gilipichis, gilipollas, jilipollas, cabrón, chupetón, fiesta de salchichas, lameculos, tía buena, maciza, sádico',
    ),
    hate: terms('marica, maricón, mariconazo, bollera, travesti'),
  },
  fr: {
    sexual: terms(
      'nu intégral, toute nue, tout nu, femme nue, femmes nues, homme nu, hommes nus, fille nue, complètement nu, complètement nue, dénudée, dénudé, seins nus, sans vêtements, déshabillée, déshabillé, pornographique, érotique, érotiques, sexuel, sexuelle, sexe, à poil',
    ),
    suggestive: terms(
      'sexy, lingerie, bikini, sensuelle, sensuel, séduisante, provocante, sous vêtements, petite culotte, maillot de bain, nu, nue',
    ),
    minors: terms(
      'enfant, enfants, fillette, fillettes, petite fille, petit garçon, mineur, mineure, mineurs, bébé, adolescent, adolescente, ado, écolière, écolier, lycéenne, lycéen, collégienne, collégien',
    ),
    ignored: terms(
      'baiser, bander, bigornette, bite, bitte, bordel, bourré, bourrée, caca, chatte, chier, con, conne, connard, connasse, cul, déconne, déconner, emmerdant, emmerder, emmerdeur, emmerdeuse, folle, gerbe, gerber, grande folle, gueule, malpt, merde, merdeuse, merdeux, meuf, péter, pipi, pisser, pousse-crotte, putain, ramoner, salaud, tanche, trique, troncher, étron, chiasse, chiottes, enfoiré, enfoirée, pédale, suce, negro',
    ),
    hate: terms('nègre, pédé, tapette, gouine'),
  },
  ar: {
    sexual: terms(
      'عاري, عارية, عاريه, عراة, عارى, العاري, العارية, جنسي, جنسية, اباحي, اباحية, إباحي, إباحية, بدون ملابس, بلا ملابس, اثارة جنسية',
    ),
    suggestive: terms('مثير, مثيرة, بيكيني, ملابس داخلية, لانجري, مغرية, مغري'),
    minors: terms(
      'طفل, طفلة, طفله, اطفال, أطفال, الطفل, الطفلة, قاصر, قاصرة, مراهق, مراهقة, رضيع, رضيعة, تلميذة, بنت صغيرة, ولد صغير, فتاة صغيرة',
    ),
    ignored: terms('مص, لعق, بز, فرج, مبادل, شهوة, قضيب, جماع, عرص, احتلام, شرج, ثدي'),
    hate: terms('شاذ, خنثي, خول, لوطي'),
  },
  pt: {
    sexual: terms(
      'mulher nua, homem nu, toda nua, nua na, nua em, mulheres nuas, garota nua, sem roupa, sem roupas, pornô, pornográfico, pornográfica, erótico, erótica, sexual, sexo, mamilos, seios nus',
    ),
    suggestive: terms(
      'nua, nu, nuas, nus, pelada, pelado, despida, despido, sexy, lingerie, biquíni, sensual, sedutora, sedutor, provocante, calcinha, roupa íntima',
    ),
    minors: terms(
      'criança, crianças, menina, menino, meninas, meninos, bebê, adolescente, adolescentes, menor de idade, filha, garotinha, garotinho, novinha',
    ),
    ignored: terms(
      'aborto, amador, aranha, ariano, balalao, bastardo, bissexual, boob, burro, cacete, cagar, camisinha, cerveja, cerebro, cocaína, comer, consolo, corno, cu, fecal, foda, foder, frango assado, heroína, heterosexual, homosexual, homem gay, homoerótico, inferno, lésbica, mama, merda, passar um cheque, pau, peidar, pinto, porra, saco, torneira, veado, dum raio, cabrao, bosta, bumbum, grelho, cona, xana, chupar, gozar',
    ),
    hate: terms('bicha, paneleiro'),
  },
  ru: {
    sexual: terms(
      'голая, голые, голой, голую, голых, голым, голого, обнажённ*, обнаженн*, нагая, нагой, нагую, нагие, эротик*, эротическ*, порно*, сексуальн*, без одежды, раздетая, раздетый, раздетую, стриптиз*',
    ),
    suggestive: terms('секси, бикини, соблазнительн*, бельё, белье, нижнее белье, купальник*, трусики, трусиках'),
    minors: terms(
      'ребёнок, ребенок, ребёнка, ребенка, дети, детей, девочка, девочки, девочку, девочек, мальчик*, подросток, подростка, подростки, школьниц*, школьник*, младенец, младенца, малолетн*, несовершеннолетн*, дочка, дочь, дочери, малыш*',
    ),
    ignored: terms(
      "byk, gol, petuh, бугор, другой дразнится, играть на кожаной флейте, какая разница, как два пальца обоссать, каждый дрочит как он хочет, курите мою трубку, мент, офигеть, фига, на фиг, хапать, хрен, хер с ней, хер с ним, ты мне ваньку не валяй, дерьмо, говно, говнюк, жопа, лысого в кулаке гонять, svoloch, padlo, uboy, perdet, vafl'a, vafli lovit, наебать, муда, хохол",
    ),
    hate: terms('chernozhopyi'),
  },
  de: {
    sexual: terms(
      'nackt, nackte, nackter, nacktes, nackten, splitternackt, entblößt, entblößte, unbekleidet, unbekleidete, ohne kleidung, ohne kleider, erotisch, erotische, erotischer, erotisches, pornografisch, pornographisch, sexuell, sexuelle, oben ohne, brustwarzen',
    ),
    suggestive: terms(
      'sexy, dessous, bikini, sinnlich, sinnliche, verführerisch, verführerische, unterwäsche, höschen, badeanzug',
    ),
    minors: terms(
      'kinder, kleinkind, kleinkinder, kindes, mädchen, kleines mädchen, kleiner junge, minderjährig, minderjährige, minderjähriger, säugling, teenagerin, jugendliche, jugendlicher, schulmädchen, schülerin, schüler, tochter',
    ),
    ignored: terms(
      'bimbo, bonze, bratze, dödel, fratze, hackfresse, ische, kacke, kacken, kackbratze, kackwurst, kimme, lümmel, morgenlatte, mufti, muschi, pinkeln, pissen, pisser, popel, poppen, reudig, rosette, schabracke, scheiße, scheisser, schiesser, vollpfosten, möpse, vögeln, pimpern, schnackeln, arsch, arschloch, arschlecker, flittchen',
    ),
    hate: terms('kanake, neger, nigger, schwuchtel, kampflesbe'),
  },
  bn: {
    sexual: terms('নগ্ন, উলঙ্গ, ন্যাংটা, ন্যাংটো, যৌন, যৌনতা, অশ্লীল, পর্ন, সেক্স, বিবস্ত্র, চোদা, মাগি, খানকি, ভোদা'),
    suggestive: terms('সেক্সি, বিকিনি, অন্তর্বাস, আবেদনময়ী'),
    minors: terms('শিশু, বাচ্চা, বাচ্চার, ছোট মেয়ে, ছোট ছেলে, কিশোরী, কিশোর, নাবালিকা, নাবালক, বালিকা, বালক'),
  },
  ur: {
    sexual: terms('ننگا, ننگی, ننگے, برہنہ, عریاں, فحش, جنسی, سیکس, پورن, بغیر کپڑوں کے, شہوانی'),
    suggestive: terms('سیکسی, بکنی, زیر جامہ, دلکش انداز'),
    minors: terms('بچہ, بچی, بچے, بچوں, لڑکی چھوٹی, چھوٹی لڑکی, چھوٹا لڑکا, نابالغ, نوعمر, شیر خوار, کمسن'),
  },
  id: {
    sexual: terms(
      'telanjang, bugil, tanpa busana, tanpa pakaian, porno, pornografi, erotis, seksual, seks, mesum, cabul, kontol, memek, ngentot, bokep',
    ),
    suggestive: terms('seksi, bikini, pakaian dalam, menggoda, sensual, lingerie'),
    minors: terms(
      'anak kecil, anak anak, gadis kecil, bocah, bayi, balita, remaja, di bawah umur, anak perempuan, anak laki laki, siswi, murid',
    ),
  },
} satisfies Readonly<Record<string, LanguageTerms>>;
